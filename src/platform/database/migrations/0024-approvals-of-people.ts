import { exactly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * People become operators, get roles, are let in again or lose a second factor by a request that somebody else approved;
 * and so are trails repaired and logs begun again. Under single control the two people of a request are one.
 */
export class ApprovalsOfPeople1764000000024 extends SqlMigration {
  override readonly name = 'ApprovalsOfPeople1764000000024';
  protected override readonly statements = [
    // The roles that approve an act, as the permissions of the service say.
    `CREATE OR REPLACE FUNCTION vigia_approving_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE
         WHEN act = 'dead_letter.discard' THEN ARRAY['COMPLIANCE_OFFICER', 'DEVELOPER']
         WHEN starts_with(act, 'operator.') THEN ARRAY['ADMIN']
         ELSE ARRAY['COMPLIANCE_OFFICER']
       END
     $$`,
    `ALTER TABLE operator_invitations ADD COLUMN approval_id uuid,
       ADD FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals`,
    ...exactly('operator_invitations', {
      act: 'operator.invite',
      orCommandLine: true,
      on: 'INSERT',
      when: 'true',
      values: { email: 'email', name: 'name', roles: 'roles' },
      request: { approval_id: 'id', invited_by: 'requested_by' },
    }),
    // An invitation is used as it is.
    ...exactly('operator_invitations', {
      name: 'kept',
      act: 'operator.invite',
      when: `(OLD.email, OLD.roles, OLD.hash) IS DISTINCT FROM (NEW.email, NEW.roles, NEW.hash)`,
      values: { email: 'email', name: 'name', roles: 'roles' },
    }),
    `CREATE FUNCTION require_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT by_command_line(NEW.organisation_id, NEW.id)
          AND NOT EXISTS (SELECT FROM operator_invitations i WHERE i.organisation_id = NEW.organisation_id
            AND i.accepted_by = NEW.id AND i.email = NEW.email AND i.roles = NEW.roles)
          AND NOT EXISTS (SELECT FROM approvals a WHERE a.organisation_id = NEW.organisation_id
            AND a.act = 'operator.invite' AND a.applied_in = pg_current_xact_id()::text
            AND a.change -> 'after' ->> 'email' = NEW.email AND a.change -> 'after' -> 'roles' = to_jsonb(NEW.roles)) THEN
         RAISE EXCEPTION 'an operator without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER operators_invited AFTER INSERT ON operators DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND NEW.kind = 'PERSON') EXECUTE FUNCTION require_invitation()`,
    ...exactly('operators', {
      name: 'empowered',
      act: 'operator.empower',
      orCommandLine: true,
      when: 'NOT NEW.roles <@ OLD.roles',
      values: { roles: 'roles' },
    }),
    ...exactly('operators', {
      name: 'enabled',
      act: 'operator.empower',
      orCommandLine: true,
      when: `OLD.status <> NEW.status AND NEW.status = 'ENABLED'`,
      values: { status: 'status' },
    }),
    ...exactly('operators', {
      name: 'factor_reset',
      act: 'operator.empower',
      orCommandLine: true,
      when: 'OLD.sealed_totp_seed IS NOT NULL AND NEW.sealed_totp_seed IS NULL',
      values: {},
    }),
    `ALTER TABLE audit_repairs DROP CONSTRAINT IF EXISTS audit_repairs_check`,
    ...exactly('audit_repairs', {
      act: 'trail.repair',
      when: `NEW.status = 'APPLIED' AND OLD.status <> 'APPLIED'`,
      values: { status: 'status', kind: 'kind', subject_type: 'subjectType', subject_id: 'subjectId' },
      request: { requested_by: 'requested_by', decided_by: 'decided_by' },
    }),
    `ALTER TABLE audit_reincarnations DROP CONSTRAINT audit_reincarnations_status_check,
       DROP CONSTRAINT audit_reincarnations_check,
       ADD CONSTRAINT audit_reincarnations_status_check CHECK (status IN ('REQUESTED', 'APPROVED', 'REFUSED'))`,
    ...exactly('audit_reincarnations', {
      act: 'log.restart',
      when: `NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED'`,
      values: { status: 'status', incarnation: 'incarnation' },
      request: { requested_by: 'requested_by', approved_by: 'decided_by' },
    }),
  ];
}
