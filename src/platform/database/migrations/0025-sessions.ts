import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Sessions in which people complete a flow. The link of a session is a capability: a keyed hash finds the session, and
 * the link itself is stored encrypted for its creator. Answers are encrypted under the key of the person.
 *
 * - An operator can request single steps of a session again: each round (`kyc_session_rounds`) records the steps and
 *   the reason, and only these steps are PENDING. Codes that verify an address (`kyc_session_codes`) are stored as
 *   keyed hashes.
 * - A session stores the reference data of its creator, the version of the privacy notice, and, for a person of a
 *   company, the company's session. A company's session stores the people it named (`kyc_session_people`), with the
 *   hits about each and the session sent to each.
 * - `kyc_step_visits`: when each step was shown and completed, for the funnel of a flow.
 * - `customer_verifications`: the last verification of a customer, its session, and the expiry date of the document.
 */
export class Sessions1765000000025 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE kyc_sessions (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       client_app_id uuid NOT NULL,
       customer_id uuid NOT NULL,
       subject_index bytea NOT NULL,
       flow_id uuid NOT NULL,
       link_hash bytea NOT NULL,
       link_sealed bytea NOT NULL,
       status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED')),
       status_reason text CHECK (status_reason IN ('TIMEOUT', 'CANCELLED', 'CHECKED')),
       trigger text NOT NULL CHECK (trigger IN ('OPERATOR', 'STEP_UP', 'API', 'COMPANY', 'REVERIFICATION')),
       transaction_ref uuid,
       evaluation_version integer,
       previous_session_id uuid,
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
       round integer NOT NULL DEFAULT 1 CHECK (round BETWEEN 1 AND 4),
       extras_sealed bytea,
       notice_version integer,
       parent_session_id uuid,
       reused_session_id uuid,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (flow_id, organisation_id) REFERENCES flows,
       FOREIGN KEY (previous_session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (parent_session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (reused_session_id, organisation_id) REFERENCES kyc_sessions,
       CONSTRAINT kyc_sessions_link UNIQUE (link_hash),
       CONSTRAINT kyc_sessions_submitted CHECK ((status IN ('PROCESSING', 'COMPLETED')) = (submitted_at IS NOT NULL)),
       CONSTRAINT kyc_sessions_ended CHECK ((status IN ('COMPLETED', 'EXPIRED')) = (ended_at IS NOT NULL)),
       CONSTRAINT kyc_sessions_result CHECK ((status = 'COMPLETED') = (outcome IS NOT NULL AND defensible IS NOT NULL))
     )`,
    `CREATE INDEX kyc_sessions_page ON kyc_sessions (organisation_id, id)`,
    `CREATE INDEX kyc_sessions_customer ON kyc_sessions (organisation_id, customer_id, id)`,
    `CREATE INDEX kyc_sessions_transaction ON kyc_sessions (organisation_id, transaction_ref) WHERE transaction_ref IS NOT NULL`,
    `CREATE INDEX kyc_sessions_overdue ON kyc_sessions (expires_at) WHERE status = 'PENDING'`,
    `CREATE INDEX kyc_sessions_approved ON kyc_sessions (organisation_id, customer_id, ended_at)
       WHERE outcome = 'APPROVED'`,
    `CREATE INDEX kyc_sessions_open ON kyc_sessions (organisation_id, customer_id)
       WHERE status = 'PENDING'`,
    `CREATE INDEX kyc_sessions_parent ON kyc_sessions (organisation_id, parent_session_id)
       WHERE parent_session_id IS NOT NULL`,
    // The answers so far, one row per step; deleted when the session is submitted or ends.
    `CREATE TABLE kyc_session_steps (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       step_id text NOT NULL,
       sealed bytea NOT NULL,
       attempts integer NOT NULL DEFAULT 1,
       saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (session_id, step_id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    // The uploads for each step, and why the last file was refused. A file may be uploaded once more in each round, so
    // an artifact has a row per round.
    `CREATE TABLE kyc_session_uploads (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       session_id uuid NOT NULL,
       step_id text NOT NULL,
       artifact_id uuid,
       document_type text,
       side text CHECK (side IN ('FRONT', 'BACK')),
       rejection text,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       CONSTRAINT kyc_session_uploads_outcome CHECK ((artifact_id IS NULL) <> (rejection IS NULL))
     )`,
    `CREATE INDEX kyc_session_uploads_session ON kyc_session_uploads (session_id, id)`,
    // Sessions whose checks are running, with lease and fence as for transactions.
    `CREATE TABLE kyc_session_work (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       announced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       fence bigint NOT NULL DEFAULT 0,
       attempts integer NOT NULL DEFAULT 0,
       PRIMARY KEY (session_id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX kyc_session_work_due ON kyc_session_work (due_at)`,
    // The transactions that wait for a session. All that requested it while its link was valid share one session.
    `CREATE TABLE kyc_session_transactions (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       transaction_ref uuid NOT NULL,
       evaluation_version integer NOT NULL,
       asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       announced_at timestamptz,
       re_evaluated_at timestamptz,
       PRIMARY KEY (session_id, transaction_ref, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX kyc_session_transactions_waiting ON kyc_session_transactions (announced_at)
       WHERE announced_at IS NOT NULL AND re_evaluated_at IS NULL`,
    `CREATE INDEX kyc_session_transactions_of ON kyc_session_transactions (transaction_ref, organisation_id)`,
    // Decisions of people about sessions. The result of the checks stays unchanged in the session.
    `CREATE TABLE kyc_session_decisions (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       session_id uuid NOT NULL,
       review_id uuid NOT NULL,
       outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REJECTED')),
       event_sequence integer NOT NULL,
       decided_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       CONSTRAINT kyc_session_decisions_once UNIQUE (review_id, organisation_id)
     )`,
    `CREATE INDEX kyc_session_decisions_of ON kyc_session_decisions (organisation_id, session_id, event_sequence)`,
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
    `CREATE TABLE kyc_session_people (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       place integer NOT NULL,
       round integer NOT NULL,
       step_id text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('OWNER', 'REPRESENTATIVE')),
       customer_id uuid,
       share numeric(5, 2),
       hit_ids uuid[] NOT NULL DEFAULT '{}',
       child_session_id uuid,
       PRIMARY KEY (session_id, round, place, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (child_session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE TABLE kyc_step_visits (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       step_id text NOT NULL,
       flow_key text NOT NULL,
       flow_version integer NOT NULL,
       shown_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       done_at timestamptz,
       tries integer NOT NULL DEFAULT 0,
       PRIMARY KEY (session_id, step_id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX kyc_step_visits_flow ON kyc_step_visits (organisation_id, flow_key, flow_version, shown_at)`,
    `CREATE TABLE customer_verifications (
       customer_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       session_id uuid NOT NULL,
       verified_at timestamptz NOT NULL,
       document_expires_on date,
       asked_session_id uuid,
       PRIMARY KEY (customer_id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (asked_session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX customer_verifications_due ON customer_verifications (organisation_id, verified_at)
       WHERE asked_session_id IS NULL`,
    ...protect('kyc_sessions', 'kyc_session_steps', 'kyc_session_uploads', 'kyc_session_work'),
    ...protect('kyc_session_transactions', 'kyc_session_decisions', 'kyc_session_rounds'),
    ...protect('kyc_session_codes', 'kyc_session_people', 'kyc_step_visits', 'customer_verifications'),
    `GRANT SELECT, INSERT ON kyc_session_uploads, kyc_session_decisions, kyc_session_rounds, kyc_session_people TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON kyc_sessions, kyc_session_transactions, kyc_step_visits, customer_verifications
       TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON kyc_session_steps, kyc_session_work, kyc_session_codes TO vigia_app`,
  ];
}
