import { SqlMigration } from './sql-migration.js';

const WORKING = `('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO')`;

/**
 * `subject_hit_id`: the hit that a case is about while no customer is known. One such case per hit and theme collects
 * alerts.
 */
export class ReviewsAboutAHit1765000000032 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE reviews ADD COLUMN subject_hit_id uuid,
       DROP CONSTRAINT reviews_collects,
       ADD CONSTRAINT reviews_collects CHECK (NOT collects OR
         ((customer_id IS NOT NULL OR subject_hit_id IS NOT NULL) AND moved_from IS NULL AND status IN ${WORKING})),
       ADD CONSTRAINT reviews_subject CHECK (customer_id IS NULL OR subject_hit_id IS NULL)`,
    // A constraint whose name ends in _race fails if the writer planned with an outdated state; the writer then plans
    // again.
    `CREATE UNIQUE INDEX reviews_collecting_hit_race ON reviews (organisation_id, subject_hit_id, theme) WHERE collects`,
  ];
}
