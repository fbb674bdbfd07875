import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * A session can be asked for single steps again: each round says which and why, and the session is PENDING for those alone. It
 * also keeps what its maker gave along, which version of the privacy notice it shows, and the session of a company that it
 * belongs to. Codes that prove an address are kept by their keyed hash.
 */
export class KycSessionsAddRounds1764000000251 extends SqlMigration {
  override readonly name = 'KycSessionsAddRounds1764000000251';
  protected override readonly statements = [
    `ALTER TABLE kyc_sessions
       ADD COLUMN round integer NOT NULL DEFAULT 1 CHECK (round BETWEEN 1 AND 4),
       ADD COLUMN extras_sealed bytea,
       ADD COLUMN notice_version integer,
       ADD COLUMN parent_session_id uuid,
       ADD COLUMN reused_session_id uuid,
       ADD FOREIGN KEY (parent_session_id, organisation_id) REFERENCES kyc_sessions,
       ADD FOREIGN KEY (reused_session_id, organisation_id) REFERENCES kyc_sessions`,
    `CREATE INDEX kyc_sessions_parent ON kyc_sessions (organisation_id, parent_session_id)
       WHERE parent_session_id IS NOT NULL`,
    `CREATE TABLE kyc_session_rounds (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       round integer NOT NULL CHECK (round BETWEEN 2 AND 4),
       asked_by text NOT NULL,
       asked_at timestamptz NOT NULL,
       asked jsonb NOT NULL,
       messages_sealed bytea NOT NULL,
       PRIMARY KEY (session_id, round, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    ...appendOnly('kyc_session_rounds'),
    `CREATE TABLE kyc_session_codes (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       step_id text NOT NULL,
       code_hash bytea NOT NULL,
       address_hash bytea NOT NULL,
       sent_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       sends integer NOT NULL DEFAULT 1,
       attempts integer NOT NULL DEFAULT 0,
       verified_at timestamptz,
       PRIMARY KEY (session_id, step_id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    ...protect('kyc_session_rounds'),
    ...protect('kyc_session_codes'),
    `GRANT SELECT, INSERT ON kyc_session_rounds TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON kyc_session_codes TO vigia_app`,
  ];
}
