import { protect, withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/** Passkeys of operators, and the challenges that wait for an answer. The last second factor takes two people to go. */
export class OperatorsAddPasskeys1764000000060 extends SqlMigration {
  override readonly name = 'OperatorsAddPasskeys1764000000060';
  protected override readonly statements = [
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
    // Without an operator: somebody signs in, and who it is stands in the answer.
    `CREATE TABLE operator_passkey_challenges (
       hash bytea PRIMARY KEY,
       purpose text NOT NULL CHECK (purpose IN ('REGISTER', 'ASSERT')),
       operator_id uuid,
       expires_at timestamptz NOT NULL,
       CHECK (purpose <> 'REGISTER' OR operator_id IS NOT NULL)
     )`,
    `CREATE INDEX operator_passkey_challenges_age ON operator_passkey_challenges (expires_at)`,
    `ALTER TABLE operator_sessions DROP CONSTRAINT operator_sessions_method_check,
       ADD CONSTRAINT operator_sessions_method_check
         CHECK (method IN ('PASSWORD', 'PASSKEY', 'OIDC', 'SECRET', 'LOCAL'))`,
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
    ...protect('operator_passkeys'),
    ...withoutOrganisation(
      'operator_passkey_challenges',
      'who signs in is known only when the passkey has answered',
    ),
    `GRANT SELECT, INSERT, DELETE ON operator_passkeys, operator_passkey_challenges TO vigia_app`,
    // The key itself and the person it belongs to never change.
    `GRANT UPDATE (counter, backed_up, last_used_at) ON operator_passkeys TO vigia_app`,
  ];
}
