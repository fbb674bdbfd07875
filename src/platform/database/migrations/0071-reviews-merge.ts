import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

const SERVICE = `current_user = 'vigia_app'`;
const WORKING = `('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO')`;

/** Alerts and hits go from one case to another of the same person, and back; people belong to what a case tells. */
export class ReviewsMerge1764000000071 extends SqlMigration {
  override readonly name = 'ReviewsMerge1764000000071';
  protected override readonly statements = [
    `ALTER TABLE reviews
       ADD COLUMN merged_into uuid,
       ADD COLUMN split_from uuid,
       ADD FOREIGN KEY (merged_into, organisation_id) REFERENCES reviews,
       ADD FOREIGN KEY (split_from, organisation_id) REFERENCES reviews,
       DROP CONSTRAINT reviews_status_check,
       ADD CONSTRAINT reviews_status_check
         CHECK (status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED', 'MERGED')),
       ADD CONSTRAINT reviews_merged CHECK ((status = 'MERGED') = (merged_into IS NOT NULL))`,
    `CREATE INDEX reviews_merged_into ON reviews (organisation_id, merged_into) WHERE merged_into IS NOT NULL`,
    // The cases that a row came through, the last one at the end: what a merge brought is what its undoing takes back.
    `ALTER TABLE review_transactions ADD COLUMN came_with uuid[] NOT NULL DEFAULT '{}'`,
    `ALTER TABLE review_hits ADD COLUMN came_with uuid[] NOT NULL DEFAULT '{}'`,
    `GRANT UPDATE (review_id, came_with, linked_at) ON review_transactions, review_hits TO vigia_app`,
    // Between cases on which nobody waits for a second person, and as of now: a decision is about what was there before.
    `CREATE FUNCTION move_between_cases() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT count(*) FROM reviews r WHERE r.organisation_id = NEW.organisation_id
             AND r.id IN (OLD.review_id, NEW.review_id) AND r.status IN ${WORKING}) <> 2
          OR (to_jsonb(OLD) - 'review_id' - 'came_with' - 'linked_at')
             <> (to_jsonb(NEW) - 'review_id' - 'came_with' - 'linked_at') THEN
         RAISE EXCEPTION 'a row of % stays in its case', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
       END IF;
       NEW.linked_at := clock_timestamp();
       RETURN NEW;
     END $$`,
    ...['review_transactions', 'review_hits'].map(
      (table) => `CREATE TRIGGER ${table}_moved BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${SERVICE})
        EXECUTE FUNCTION move_between_cases()`,
    ),
    // Nothing is lost by a merge: whatever the case was about is in the other one, which is about the same person.
    `CREATE FUNCTION require_nothing_left() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM reviews o WHERE o.organisation_id = NEW.organisation_id AND o.id = NEW.merged_into
            AND o.customer_id IS NOT DISTINCT FROM NEW.customer_id)
          OR EXISTS (SELECT FROM review_transactions l WHERE l.organisation_id = NEW.organisation_id
            AND l.review_id = NEW.id AND l.origin <> 'RELATED' AND NOT EXISTS (SELECT FROM review_transactions o
              WHERE o.organisation_id = NEW.organisation_id AND o.review_id = NEW.merged_into
                AND o.transaction_ref = l.transaction_ref AND o.evaluation_version = l.evaluation_version))
          OR EXISTS (SELECT FROM review_hits l WHERE l.organisation_id = NEW.organisation_id
            AND l.review_id = NEW.id AND NOT EXISTS (SELECT FROM review_hits o
              WHERE o.organisation_id = NEW.organisation_id AND o.review_id = NEW.merged_into
                AND o.hit_id = l.hit_id)) THEN
         RAISE EXCEPTION 'a case is merged with all that it is about' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER reviews_merged_whole AFTER UPDATE OF status ON reviews DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE} AND NEW.status = 'MERGED') EXECUTE FUNCTION require_nothing_left()`,
    `CREATE TABLE review_people (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       customer_id uuid NOT NULL,
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, customer_id, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers
     )`,
    `CREATE INDEX review_people_of ON review_people (organisation_id, customer_id)`,
    ...protect('review_people'),
    `GRANT SELECT, INSERT, DELETE ON review_people TO vigia_app`,
  ];
}
