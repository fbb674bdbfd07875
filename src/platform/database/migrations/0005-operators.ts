import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Operators: people (and, where allowed, machines) who use the operator API. Credentials are stored as a hash
 * (passwords, tokens, recovery codes) or encrypted under the key ring (TOTP seeds).
 *
 * `operator_lineage`: which operator invited, reset or gave roles to which, and who removed roles.
 */
export class Operators1765000000005 extends SqlMigration {
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
       CONSTRAINT operators_oidc_identity UNIQUE (oidc_issuer, oidc_subject, organisation_id)
     )`,
    // An e-mail address and an identity at the provider are unique only within an organisation, so that a response
    // never reveals operators of another organisation.
    `CREATE UNIQUE INDEX operators_email ON operators (email, organisation_id)`,
    `CREATE INDEX operators_organisation ON operators (organisation_id, id)`,
    // The command line records no lineage, because it does not act as an operator.
    `CREATE TABLE operator_lineage (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       operator_id uuid NOT NULL,
       by_id uuid NOT NULL,
       kind text NOT NULL CHECK (kind IN ('INVITED', 'RESET', 'EMPOWERED', 'REMOVED')),
       single_control boolean NOT NULL,
       at timestamptz NOT NULL DEFAULT clock_timestamp(),
       roles text[] NOT NULL DEFAULT '{}',
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (operator_id, organisation_id) REFERENCES operators,
       FOREIGN KEY (by_id, organisation_id) REFERENCES operators
     )`,
    `CREATE INDEX operator_lineage_operator ON operator_lineage (organisation_id, operator_id)`,
    ...protect('operators', 'operator_lineage'),
    `GRANT SELECT, INSERT, UPDATE ON operators TO vigia_app`,
    `GRANT SELECT, INSERT ON operator_lineage TO vigia_app`,
  ];
}
