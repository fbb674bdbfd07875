import { SqlMigration } from './sql-migration.js';

const WORKING = `('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO')`;

/** `subject_hit_id`: the hit whose party a case is about while no customer is known. One such case collects alerts per theme. */
export class ReviewsAboutAHit1765000000032 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE reviews ADD COLUMN subject_hit_id uuid,
       DROP CONSTRAINT reviews_collects,
       ADD CONSTRAINT reviews_collects CHECK (NOT collects OR
         ((customer_id IS NOT NULL OR subject_hit_id IS NOT NULL) AND moved_from IS NULL AND status IN ${WORKING})),
       ADD CONSTRAINT reviews_subject CHECK (customer_id IS NULL OR subject_hit_id IS NULL)`,
    // A name that ends in _race: the writer planned with a state that is no longer so, and plans again.
    `CREATE UNIQUE INDEX reviews_collecting_hit_race ON reviews (organisation_id, subject_hit_id, theme) WHERE collects`,
  ];
}
