import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Flows and the sessions that people go through them in. A session's link is a capability: only its keyed hash can be
 * looked up, and the link itself is kept sealed for whoever made it. Answers are sealed under the key of the person.
 */
export class Sessions1763600000095 implements MigrationInterface {
  name = 'Sessions1763600000095';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Sessions are evidence; they are not undone. Restore a backup.');
  }
}

const statements = [
  // A version is never changed; a session keeps the one it began with.
  `CREATE TABLE flows (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     key text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
     version integer NOT NULL CHECK (version > 0),
     definition jsonb NOT NULL,
     content_hash bytea NOT NULL,
     created_by text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT flows_version UNIQUE (organisation_id, key, version)
   )`,
  ...protect('flows'),
  `CREATE TABLE kyc_sessions (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     client_app_id uuid NOT NULL REFERENCES client_apps (id),
     customer_id uuid NOT NULL REFERENCES customers (id),
     subject_index bytea NOT NULL,
     flow_id uuid NOT NULL REFERENCES flows (id),
     link_hash bytea NOT NULL,
     link_sealed bytea NOT NULL,
     status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED')),
     status_reason text CHECK (status_reason IN ('TIMEOUT', 'CANCELLED', 'CHECKED')),
     trigger text NOT NULL CHECK (trigger IN ('OPERATOR', 'STEP_UP', 'API')),
     transaction_ref uuid,
     evaluation_version integer,
     previous_session_id uuid REFERENCES kyc_sessions (id),
     attempt integer NOT NULL DEFAULT 1,
     created_by text NOT NULL,
     request_id text,
     correlation_id text NOT NULL,
     traceparent text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     expires_at timestamptz NOT NULL,
     submitted_at timestamptz,
     submission_hash bytea,
     answers_sealed bytea,
     ended_at timestamptz,
     outcome text CHECK (outcome IN ('APPROVED', 'REVIEW', 'REJECTED')),
     risk_score integer CHECK (risk_score BETWEEN 0 AND 100),
     composition text CHECK (composition IN ('COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT')),
     defensible boolean,
     non_defensible_reasons text[] NOT NULL DEFAULT '{}',
     evidence jsonb NOT NULL DEFAULT '[]',
     trail_hash bytea NOT NULL,
     CONSTRAINT kyc_sessions_link UNIQUE (link_hash),
     CONSTRAINT kyc_sessions_submitted CHECK ((status IN ('PROCESSING', 'COMPLETED')) = (submitted_at IS NOT NULL)),
     CONSTRAINT kyc_sessions_ended CHECK ((status IN ('COMPLETED', 'EXPIRED')) = (ended_at IS NOT NULL)),
     CONSTRAINT kyc_sessions_result CHECK ((status = 'COMPLETED') = (outcome IS NOT NULL AND defensible IS NOT NULL))
   )`,
  `CREATE INDEX kyc_sessions_page ON kyc_sessions (organisation_id, id)`,
  `CREATE INDEX kyc_sessions_customer ON kyc_sessions (organisation_id, customer_id, id)`,
  `CREATE INDEX kyc_sessions_transaction ON kyc_sessions (organisation_id, transaction_ref) WHERE transaction_ref IS NOT NULL`,
  `CREATE INDEX kyc_sessions_overdue ON kyc_sessions (expires_at) WHERE status = 'PENDING'`,
  ...protect('kyc_sessions'),
  // What has been answered so far, one row for each step; gone when the session is submitted or over.
  `CREATE TABLE kyc_session_steps (
     session_id uuid NOT NULL REFERENCES kyc_sessions (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     step_id text NOT NULL,
     sealed bytea NOT NULL,
     attempts integer NOT NULL DEFAULT 1,
     saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (session_id, step_id)
   )`,
  ...protect('kyc_session_steps'),
  // What was uploaded for which step, and why the last file was not taken.
  `CREATE TABLE kyc_session_uploads (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     session_id uuid NOT NULL REFERENCES kyc_sessions (id),
     step_id text NOT NULL,
     artifact_id uuid,
     document_type text,
     side text CHECK (side IN ('FRONT', 'BACK')),
     rejection text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT kyc_session_uploads_outcome CHECK ((artifact_id IS NULL) <> (rejection IS NULL))
   )`,
  `CREATE UNIQUE INDEX kyc_session_uploads_once ON kyc_session_uploads (session_id, artifact_id)
     WHERE artifact_id IS NOT NULL`,
  `CREATE INDEX kyc_session_uploads_session ON kyc_session_uploads (session_id, id)`,
  ...protect('kyc_session_uploads'),
  // Sessions whose checks are under way: lease and fence, as for transactions.
  `CREATE TABLE kyc_session_work (
     session_id uuid PRIMARY KEY REFERENCES kyc_sessions (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     announced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     fence bigint NOT NULL DEFAULT 0,
     attempts integer NOT NULL DEFAULT 0
   )`,
  `CREATE INDEX kyc_session_work_due ON kyc_session_work (due_at)`,
  ...protect('kyc_session_work'),
  `GRANT SELECT, INSERT ON flows TO vigia_app`,
  `GRANT SELECT, INSERT, UPDATE ON kyc_sessions TO vigia_app`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON kyc_session_steps, kyc_session_work TO vigia_app`,
  `GRANT SELECT, INSERT ON kyc_session_uploads TO vigia_app`,
];
