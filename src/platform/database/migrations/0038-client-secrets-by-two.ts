import { SqlMigration } from './sql-migration.js';
import { SERVICE } from './triggers.js';

/**
 * `client_app.grant`: two people, or the command line, also give each new secret to an application that has
 * `customers:write`, and enable it again.
 */
export class ClientSecretsByTwo1765000000038 extends SqlMigration {
  protected override readonly statements = [
    // The application is read at the commit: one that is made with its first secret may get its row afterwards.
    `CREATE FUNCTION require_approved_secret() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (SELECT FROM client_apps c WHERE c.organisation_id = NEW.organisation_id AND c.id = NEW.client_app_id
             AND 'customers:write' = ANY (c.scopes))
           AND NOT by_command_line(NEW.organisation_id, NEW.client_app_id)
           AND NOT EXISTS (SELECT FROM approvals a WHERE a.organisation_id = NEW.organisation_id
             AND a.act = 'client_app.grant' AND a.subject_id = NEW.client_app_id::text AND a.status = 'APPLIED'
             AND a.applied_in = pg_current_xact_id()::text
             AND a.change -> 'after' ->> 'secretHash' = encode(NEW.hash, 'hex')) THEN
         RAISE EXCEPTION 'a secret of % without an approved request', TG_TABLE_NAME
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER client_secrets_given AFTER INSERT ON client_secrets DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE}) EXECUTE FUNCTION require_approved_secret()`,
    // A secret that is another one, of another application, or good for longer.
    `CREATE CONSTRAINT TRIGGER client_secrets_revived AFTER UPDATE ON client_secrets DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE} AND (
         (OLD.hash, OLD.client_app_id, OLD.organisation_id) IS DISTINCT FROM (NEW.hash, NEW.client_app_id, NEW.organisation_id)
         OR coalesce(NEW.expires_at, 'infinity') > coalesce(OLD.expires_at, 'infinity')
         OR coalesce(NEW.revoked_at, 'infinity') > coalesce(OLD.revoked_at, 'infinity')))
       EXECUTE FUNCTION require_approved_secret()`,
  ];
}
