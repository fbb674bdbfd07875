import { SqlMigration } from './sql-migration.js';

/**
 * The key of a person is destroyed by the approved erasure of a customer and by nothing else. Whether a key that was wrapped
 * anew is the same key the database cannot tell.
 */
export class ApprovalsOfErasures1764000000032 extends SqlMigration {
  override readonly name = 'ApprovalsOfErasures1764000000032';
  protected override readonly statements = [
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
  ];
}
