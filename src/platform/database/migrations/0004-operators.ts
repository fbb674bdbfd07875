import { protect, withoutOrganisation } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Operators: people (and, where allowed, machines) who use the operator API. Proofs of identity are stored as a hash
 * (passwords, tokens, recovery codes) or sealed under the key ring (TOTP seeds).
 */
export class Operators1764000000004 extends SqlMigration {
  override readonly name = 'Operators1764000000004';
  protected override readonly statements = [
    `CREATE TABLE operators (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('PERSON', 'MACHINE')),
       email text CHECK (email = lower(email)),
       name text NOT NULL,
       status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED')),
       roles text[] NOT NULL DEFAULT '{}',
       permissions text[] NOT NULL DEFAULT '{}',
       password_hash text,
       password_changed_at timestamptz,
       sealed_totp_seed bytea,
       totp_enrolled_at timestamptz,
       totp_last_step bigint,
       pending_totp_seed bytea,
       pending_totp_expires_at timestamptz,
       secret_hash bytea,
       oidc_issuer text,
       oidc_subject text,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_login_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT operators_person_has_email CHECK ((kind = 'PERSON') = (email IS NOT NULL)),
       CONSTRAINT operators_totp CHECK ((sealed_totp_seed IS NULL) = (totp_enrolled_at IS NULL)),
       CONSTRAINT operators_oidc_identity UNIQUE (oidc_issuer, oidc_subject)
     )`,
    // Unique across organisations: who logs in gives an address, not an organisation.
    `CREATE UNIQUE INDEX operators_email ON operators (email)`,
    `CREATE INDEX operators_organisation ON operators (organisation_id, id)`,
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
       method text NOT NULL CHECK (method IN ('PASSWORD', 'OIDC', 'SECRET', 'LOCAL')),
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
    // Without an address: the set-up token of an organisation that has no operator yet.
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
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (invited_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (accepted_by, organisation_id) REFERENCES operators
     )`,
    `CREATE INDEX operator_invitations_organisation ON operator_invitations (organisation_id, id)`,
    // Counts failures per account, address and device; the key is a hash, made alike for accounts that do not exist,
    // and so belongs to no organisation.
    `CREATE TABLE operator_login_throttles (
       key bytea PRIMARY KEY,
       failures integer NOT NULL,
       last_failure_at timestamptz NOT NULL,
       blocked_until timestamptz NOT NULL
     )`,
    `CREATE INDEX operator_login_throttles_age ON operator_login_throttles (last_failure_at)`,
    // Logins that were sent to the identity provider and are not back yet.
    `CREATE TABLE operator_oidc_logins (
       state_hash bytea PRIMARY KEY,
       browser_hash bytea NOT NULL,
       nonce text NOT NULL,
       code_verifier text NOT NULL,
       cookie_mode boolean NOT NULL,
       expires_at timestamptz NOT NULL
     )`,
    ...audited('operators', { subject: 'operator', state: ['status', 'roles', 'permissions'] }),
    ...[
      'operators',
      'operator_devices',
      'operator_sessions',
      'operator_refresh_tokens',
      'operator_recovery_codes',
      'operator_invitations',
    ].flatMap((table) => protect(table)),
    ...withoutOrganisation('operator_login_throttles', 'failures per hash of an account, address or device'),
    ...withoutOrganisation(
      'operator_oidc_logins',
      'who logs in is known only when the identity provider has said so',
    ),
    `GRANT SELECT, INSERT, UPDATE ON operators, operator_sessions, operator_invitations TO vigia_app`,
    `GRANT DELETE ON operator_sessions TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON operator_devices, operator_refresh_tokens, operator_recovery_codes,
       operator_login_throttles TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON operator_oidc_logins TO vigia_app`,
  ];
}
