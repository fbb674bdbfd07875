import { protect, withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The encryption keys of persons. The key is destroyed at the erasure of the person, which makes all data encrypted
 * under it unreadable. Only the approved erasure of a customer may destroy a key; the database cannot check that a
 * re-wrapped key is the same key. `erased_with`: the customer whose `customer.erased` entry names the key. If a
 * destroyed key has no such entry, something other than the service destroyed it.
 *
 * The keys of the blind indexes, encrypted under INDEX_KEY, and the indexes stored under each key but the newest.
 *
 * - `index_keys`: created at the first start. `sealed_by` identifies the INDEX_KEY that encrypts all of them.
 * - `known_indexes`: the first four bytes of each index stored under a key, sorted; `reached` is the last transaction
 *   of a part.
 */
export class Privacy1765000000009 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE subject_keys (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       subject_index bytea NOT NULL,
       generation integer NOT NULL DEFAULT 1,
       ring_key_id text NOT NULL,
       wrapped_key bytea,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       erase_requested_at timestamptz,
       destroyed_at timestamptz,
       erased_with uuid,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT subject_keys_subject UNIQUE (organisation_id, subject_index, generation),
       CONSTRAINT subject_keys_destroyed CHECK ((destroyed_at IS NULL) = (wrapped_key IS NOT NULL))
     )`,
    // Partial, because few keys are destroyed. The job that deletes the files of erased persons looks for them by time.
    `CREATE INDEX subject_keys_destroyed_at ON subject_keys (destroyed_at) WHERE destroyed_at IS NOT NULL`,
    `CREATE INDEX subject_keys_erasing ON subject_keys (erase_requested_at)
       WHERE erase_requested_at IS NOT NULL AND destroyed_at IS NULL`,
    `CREATE FUNCTION require_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM approvals a WHERE a.organisation_id = NEW.organisation_id
           AND a.act = 'customer.erase' AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text) THEN
         RAISE EXCEPTION 'a key is destroyed without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER subject_keys_erasure_approved AFTER UPDATE ON subject_keys DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (current_user = 'vigia_app' AND (
         OLD.erase_requested_at IS DISTINCT FROM NEW.erase_requested_at
         OR (NEW.wrapped_key IS NULL AND OLD.erase_requested_at IS NULL)
         OR (OLD.subject_index, OLD.generation) IS DISTINCT FROM (NEW.subject_index, NEW.generation)))
       EXECUTE FUNCTION require_erasure()`,
    ...protect('subject_keys'),
    `GRANT SELECT, INSERT, UPDATE ON subject_keys TO vigia_app`,
    `CREATE TABLE index_keys (
       number smallint PRIMARY KEY CHECK (number > 0),
       sealed bytea,
       sealed_by text,
       made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       CHECK ((sealed IS NULL) = (sealed_by IS NULL))
     )`,
    `CREATE TABLE known_indexes (
       key_number smallint NOT NULL REFERENCES index_keys (number),
       part integer NOT NULL,
       beginnings bytea NOT NULL CHECK (length(beginnings) % 4 = 0),
       reached uuid,
       PRIMARY KEY (key_number, part)
     )`,
    ...withoutOrganisation('index_keys', 'the keys of the blind indexes of all, sealed under INDEX_KEY'),
    ...withoutOrganisation(
      'known_indexes',
      'beginnings of blind indexes, which name nobody and no organisation',
    ),
    `GRANT SELECT, INSERT, UPDATE ON index_keys TO vigia_app`,
    `GRANT SELECT, INSERT ON known_indexes TO vigia_app`,
  ];
}
