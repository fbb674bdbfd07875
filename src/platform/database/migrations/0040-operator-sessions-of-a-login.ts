import { SqlMigration } from './sql-migration.js';
import { SERVICE } from './triggers.js';

/** True if this transaction wrote one of these entries about an operator that names the session. */
const ENTRY = (operator: string, session: string, actions: string): string =>
  `EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = NEW.organisation_id AND e.subject_type = 'operator'
     AND e.subject_id = ${operator}::text AND e.action IN (${actions}) AND e.xmin = pg_current_xact_id()::xid
     AND convert_from(e.canonical, 'UTF8')::json -> 'content' ->> 'session' = ${session}::text)`;

/**
 * A session belongs for ever to the operator whose login the trail holds: it begins with the entry of that login, becomes
 * strong with the entry of a second factor, and lasts no longer than it was given. A refresh token begins with its
 * session, or takes the place of one that was used.
 */
export class OperatorSessionsOfALogin1765000000040 extends SqlMigration {
  protected override readonly statements = [
    `CREATE FUNCTION require_login() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT ${ENTRY('NEW.operator_id', 'NEW.id', `'operator.logged_in'`)} THEN
         RAISE EXCEPTION 'a session without the entry of its login' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER operator_sessions_logged_in AFTER INSERT ON operator_sessions
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${SERVICE}) EXECUTE FUNCTION require_login()`,
    `CREATE FUNCTION require_stepped_up() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT ${ENTRY('NEW.operator_id', 'NEW.id', `'operator.stepped_up', 'operator.totp_enrolled', 'operator.passkey_added'`)} THEN
         RAISE EXCEPTION 'a session becomes strong without a second factor' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER operator_sessions_stepped_up AFTER UPDATE OF strong ON operator_sessions
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${SERVICE} AND NEW.strong AND NOT OLD.strong)
       EXECUTE FUNCTION require_stepped_up()`,
    `CREATE FUNCTION refuse_other_session() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'a session stays with the operator and the time of its login' USING ERRCODE = 'restrict_violation';
     END $$`,
    `CREATE TRIGGER operator_sessions_kept BEFORE UPDATE ON operator_sessions FOR EACH ROW WHEN (${SERVICE}
         AND ((OLD.id, OLD.organisation_id, OLD.operator_id, OLD.method, OLD.created_at, OLD.expires_at) IS DISTINCT FROM
              (NEW.id, NEW.organisation_id, NEW.operator_id, NEW.method, NEW.created_at, NEW.expires_at)
           OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)))
       EXECUTE FUNCTION refuse_other_session()`,
    `CREATE FUNCTION require_login_or_token() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM operator_sessions s WHERE s.organisation_id = NEW.organisation_id
             AND s.id = NEW.session_id AND s.xmin = pg_current_xact_id()::xid)
          OR EXISTS (SELECT FROM operator_refresh_tokens t WHERE t.organisation_id = NEW.organisation_id
             AND t.session_id = NEW.session_id AND t.hash <> NEW.hash AND t.used_at IS NULL) THEN
         RAISE EXCEPTION 'a refresh token beside the one of its session' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER operator_refresh_tokens_given AFTER INSERT ON operator_refresh_tokens
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${SERVICE}) EXECUTE FUNCTION require_login_or_token()`,
    `CREATE TRIGGER operator_refresh_tokens_kept BEFORE UPDATE ON operator_refresh_tokens FOR EACH ROW WHEN (${SERVICE}
         AND ((OLD.hash, OLD.organisation_id, OLD.session_id, OLD.issued_at) IS DISTINCT FROM
              (NEW.hash, NEW.organisation_id, NEW.session_id, NEW.issued_at)
           OR (OLD.used_at IS NOT NULL AND NEW.used_at IS NULL)))
       EXECUTE FUNCTION refuse_other_session()`,
  ];
}
