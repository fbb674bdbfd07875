import { exactly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * An address and an identity at the provider are unique within an organisation alone: the answer of one organisation
 * says nothing about the people of another. Whoever logs in with the provider is invited like everybody else, and the
 * token of the invitation links the identity; an address links nothing.
 */
export class OperatorsPerOrganisation1764000000050 extends SqlMigration {
  override readonly name = 'OperatorsPerOrganisation1764000000050';
  protected override readonly statements = [
    `DROP INDEX operators_email`,
    `CREATE UNIQUE INDEX operators_email ON operators (email, organisation_id)`,
    `ALTER TABLE operators DROP CONSTRAINT operators_oidc_identity,
       ADD CONSTRAINT operators_oidc_identity UNIQUE (oidc_issuer, oidc_subject, organisation_id)`,
    `ALTER TABLE operator_invitations ADD COLUMN login text NOT NULL DEFAULT 'PASSWORD'
       CHECK (login IN ('PASSWORD', 'IDENTITY_PROVIDER'))`,
    `DROP TRIGGER operator_invitations_approved ON operator_invitations`,
    ...exactly('operator_invitations', {
      act: 'operator.invite',
      orCommandLine: true,
      on: 'INSERT',
      when: 'true',
      values: { email: 'email', name: 'name', roles: 'roles', login: 'login' },
      request: { approval_id: 'id', invited_by: 'requested_by' },
    }),
    `CREATE OR REPLACE FUNCTION require_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       -- The invitation itself needs an approved 'operator.invite'.
       IF NOT by_command_line(NEW.organisation_id, NEW.id)
          AND NOT EXISTS (SELECT FROM operator_invitations i WHERE i.organisation_id = NEW.organisation_id
            AND i.accepted_by = NEW.id AND i.email = NEW.email AND i.roles = NEW.roles
            AND (i.login = 'PASSWORD') = (NEW.password_hash IS NOT NULL)) THEN
         RAISE EXCEPTION 'an operator without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `ALTER TABLE operator_oidc_logins ADD COLUMN organisation_key text, ADD COLUMN invitation_hash bytea`,
  ];
}
