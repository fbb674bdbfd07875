import { SqlMigration } from './sql-migration.js';

/** Cases are closed by a request that somebody else approved. */
export class ApprovalsOfCases1764000000023 extends SqlMigration {
  override readonly name = 'ApprovalsOfCases1764000000023';
  protected override readonly statements = [
    `ALTER TABLE reviews
       ADD COLUMN approval_id uuid,
       ADD COLUMN single_control boolean NOT NULL DEFAULT false,
       ADD FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       DROP CONSTRAINT reviews_four_eyes,
       ADD CONSTRAINT reviews_four_eyes CHECK (closed_by IS NULL OR closed_by <> proposed_by OR single_control)`,
    `ALTER TABLE kyt_decisions ADD COLUMN single_control boolean NOT NULL DEFAULT false`,
    // As `require_approval`; what was proposed stands in the row before, so that all of it is compared, changed or not.
    `CREATE FUNCTION require_approved_case() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM approvals a
         WHERE a.organisation_id = NEW.organisation_id AND a.id = NEW.approval_id AND a.act = 'case.close'
           AND a.subject_id = NEW.id::text AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text
           AND a.requested_by = NEW.proposed_by AND a.decided_by = NEW.closed_by AND a.single_control = NEW.single_control
           AND a.change -> 'after' ->> 'resolution' = NEW.resolution
           AND a.change -> 'after' ->> 'report' = NEW.report) THEN
         RAISE EXCEPTION 'a case is closed without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    // Also a closed case that is closed differently, or opened again.
    `CREATE CONSTRAINT TRIGGER reviews_close_approved AFTER UPDATE ON reviews DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND (NEW.status = 'CLOSED' OR OLD.status = 'CLOSED')
         AND (OLD.status, OLD.resolution, OLD.report, OLD.proposed_by, OLD.closed_by, OLD.closed_at, OLD.approval_id,
              OLD.single_control) IS DISTINCT FROM
             (NEW.status, NEW.resolution, NEW.report, NEW.proposed_by, NEW.closed_by, NEW.closed_at, NEW.approval_id,
              NEW.single_control))
       EXECUTE FUNCTION require_approved_case()`,
  ];
}
