import { protect, withoutOrganisation } from './protect.js';
import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Access of operators: invitations, logins, second factors, sessions.
 *
 * To invite people, give them roles, reset their login or remove a second factor, one operator requests it and another
 * approves it. Under single control both are the same person. Operators who log in through the provider are invited as
 * well; the token of the invitation links the identity, and an equal e-mail address links nothing.
 */
export class OperatorsLogins1765000000007 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE operator_devices (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       operator_id uuid NOT NULL,
       hash bytea NOT NULL UNIQUE,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz NOT NULL,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (operator_id, organisation_id) REFERENCES operators
     )`,
    `CREATE INDEX operator_devices_operator ON operator_devices (operator_id)`,
    `CREATE TABLE operator_sessions (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       operator_id uuid NOT NULL,
       method text NOT NULL CHECK (method IN ('PASSWORD', 'PASSKEY', 'OIDC', 'SECRET', 'LOCAL')),
       strong boolean NOT NULL,
       ip text,
       user_agent text,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       idle_expires_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       revoked_at timestamptz,
       revoke_reason text,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (operator_id, organisation_id) REFERENCES operators,
       CONSTRAINT operator_sessions_revoked CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
     )`,
    `CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, id)`,
    `CREATE TABLE operator_refresh_tokens (
       hash bytea NOT NULL,
       organisation_id uuid NOT NULL,
       session_id uuid NOT NULL,
       issued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       used_at timestamptz,
       PRIMARY KEY (hash, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES operator_sessions ON DELETE CASCADE
     )`,
    `CREATE INDEX operator_refresh_tokens_session ON operator_refresh_tokens (session_id)`,
    `CREATE TABLE operator_recovery_codes (
       operator_id uuid NOT NULL,
       hash bytea NOT NULL,
       organisation_id uuid NOT NULL,
       used_at timestamptz,
       PRIMARY KEY (operator_id, hash, organisation_id),
       FOREIGN KEY (operator_id, organisation_id) REFERENCES operators
     )`,
    // email is null for the set-up token of an organisation that has no operator yet.
    `CREATE TABLE operator_invitations (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       email text CHECK (email = lower(email)),
       name text,
       roles text[] NOT NULL,
       hash bytea NOT NULL UNIQUE,
       invited_by uuid,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz NOT NULL,
       accepted_at timestamptz,
       accepted_by uuid,
       revoked_at timestamptz,
       approval_id uuid,
       login text NOT NULL DEFAULT 'PASSWORD' CHECK (login IN ('PASSWORD', 'IDENTITY_PROVIDER')),
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (invited_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (accepted_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals
     )`,
    `CREATE INDEX operator_invitations_organisation ON operator_invitations (organisation_id, id)`,
    `CREATE FUNCTION require_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
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
    `CREATE CONSTRAINT TRIGGER operators_invited AFTER INSERT ON operators DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND NEW.kind = 'PERSON') EXECUTE FUNCTION require_invitation()`,
    // The identity of an account never changes: it stays with the person or machine for whom it was created.
    `CREATE FUNCTION refuse_other_identity() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'an account is not given to somebody else' USING ERRCODE = 'restrict_violation';
     END $$`,
    `CREATE TRIGGER operators_identity BEFORE UPDATE ON operators FOR EACH ROW WHEN (${SERVICE}
         AND ((OLD.kind, OLD.email) IS DISTINCT FROM (NEW.kind, NEW.email)
           OR (OLD.oidc_subject IS NOT NULL
             AND (OLD.oidc_issuer, OLD.oidc_subject) IS DISTINCT FROM (NEW.oidc_issuer, NEW.oidc_subject))))
       EXECUTE FUNCTION refuse_other_identity()`,
    // Counts failed logins per account, address and device. The key is a hash, computed in the same way for accounts
    // that do not exist, so it belongs to no organisation.
    `CREATE TABLE operator_login_throttles (
       key bytea PRIMARY KEY,
       failures integer NOT NULL,
       last_failure_at timestamptz NOT NULL,
       blocked_until timestamptz NOT NULL
     )`,
    `CREATE INDEX operator_login_throttles_age ON operator_login_throttles (last_failure_at)`,
    // Logins that were redirected to the identity provider and have not returned.
    `CREATE TABLE operator_oidc_logins (
       state_hash bytea PRIMARY KEY,
       browser_hash bytea NOT NULL,
       nonce text NOT NULL,
       code_verifier text NOT NULL,
       cookie_mode boolean NOT NULL,
       expires_at timestamptz NOT NULL,
       organisation_key text,
       invitation_hash bytea
     )`,
    `CREATE TABLE operator_passkeys (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       operator_id uuid NOT NULL,
       credential_id bytea NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
       public_key bytea NOT NULL,
       counter bigint NOT NULL CHECK (counter >= 0),
       name text NOT NULL,
       transports text[] NOT NULL DEFAULT '{}',
       backed_up boolean NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_used_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (operator_id, organisation_id) REFERENCES operators,
       -- Unique across organisations: who signs in shows a passkey, not an organisation.
       CONSTRAINT operator_passkeys_credential UNIQUE (credential_id)
     )`,
    `CREATE INDEX operator_passkeys_operator ON operator_passkeys (operator_id, id)`,
    // operator_id is null at a login: the response of the passkey identifies the operator.
    `CREATE TABLE operator_passkey_challenges (
       hash bytea PRIMARY KEY,
       purpose text NOT NULL CHECK (purpose IN ('REGISTER', 'ASSERT')),
       operator_id uuid,
       expires_at timestamptz NOT NULL,
       CHECK (purpose <> 'REGISTER' OR operator_id IS NOT NULL)
     )`,
    `CREATE INDEX operator_passkey_challenges_age ON operator_passkey_challenges (expires_at)`,
    // The removal of the last second factor needs two people.
    `CREATE FUNCTION require_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM operators o WHERE o.organisation_id = OLD.organisation_id
              AND o.id = OLD.operator_id AND o.sealed_totp_seed IS NOT NULL)
          AND NOT EXISTS (SELECT FROM operator_passkeys p WHERE p.organisation_id = OLD.organisation_id
              AND p.operator_id = OLD.operator_id)
          AND NOT by_command_line(OLD.organisation_id, OLD.operator_id)
          AND NOT EXISTS (SELECT FROM approvals a WHERE a.organisation_id = OLD.organisation_id
              AND a.act = 'operator.empower' AND a.subject_id = OLD.operator_id::text
              AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text) THEN
         RAISE EXCEPTION 'the last second factor was taken away without an approved request'
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER operator_passkeys_last AFTER DELETE ON operator_passkeys
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app') EXECUTE FUNCTION require_second_factor()`,
    ...protect('operator_devices', 'operator_sessions', 'operator_refresh_tokens', 'operator_recovery_codes'),
    ...protect('operator_invitations', 'operator_passkeys'),
    ...withoutOrganisation('operator_login_throttles', 'failures per hash of an account, address or device'),
    ...withoutOrganisation(
      'operator_oidc_logins',
      'who logs in is known only when the identity provider has said so',
    ),
    ...withoutOrganisation(
      'operator_passkey_challenges',
      'who signs in is known only when the passkey has answered',
    ),
    `GRANT SELECT, INSERT, UPDATE ON operator_invitations TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON operator_devices, operator_sessions, operator_refresh_tokens,
       operator_recovery_codes, operator_login_throttles TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON operator_oidc_logins, operator_passkeys, operator_passkey_challenges TO vigia_app`,
    // The key and its operator never change.
    `GRANT UPDATE (counter, backed_up, last_used_at) ON operator_passkeys TO vigia_app`,
  ];
}
