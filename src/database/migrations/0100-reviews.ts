import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Review cases, what they are about, notes, and what a decision still has to reach; decisions of persons about
 * transactions; what customers need beside their identification: profile, risk level, legal hold, erasure.
 *
 * What happened to a case in which order is told by its audit entries; the row says where it stands. A case is never
 * opened again: a new one points at the old.
 */
export class Reviews1763600000100 implements MigrationInterface {
  name = 'Reviews1763600000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Cases and decisions must be kept for ten years; they are not undone. Restore a backup.');
  }
}

const statements = [
  // --- cases -----------------------------------------------------------------------------------------------
  `CREATE TABLE reviews (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     kind text NOT NULL CHECK (kind IN ('SCORE', 'HIT', 'DATA_GAP', 'SESSION', 'MANUAL')),
     status text NOT NULL DEFAULT 'OPEN'
       CHECK (status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED')),
     priority smallint NOT NULL CHECK (priority BETWEEN 1 AND 4),
     queue text NOT NULL,
     client_app_id uuid REFERENCES client_apps (id),
     customer_id uuid REFERENCES customers (id),
     session_ref uuid,
     risk_score integer,
     linked integer NOT NULL DEFAULT 0,
     revision integer NOT NULL DEFAULT 1,
     assignee_id uuid REFERENCES operators (id),
     assigned_at timestamptz,
     reopened_from uuid REFERENCES reviews (id),
     opened_by text NOT NULL,
     opened_at timestamptz NOT NULL,
     begun_at timestamptz,
     selection_deadline timestamptz NOT NULL,
     analysis_deadline timestamptz NOT NULL,
     response_deadline timestamptz,
     report_deadline timestamptz,
     reported_at timestamptz,
     due_at timestamptz NOT NULL,
     proposed_by uuid REFERENCES operators (id),
     proposed_at timestamptz,
     resolution text CHECK (resolution IN ('APPROVED', 'REJECTED', 'FALSE_POSITIVE')),
     report text CHECK (report IN ('COMMUNICATE', 'ARCHIVE')),
     justification bytea,
     closed_by uuid REFERENCES operators (id),
     closed_at timestamptz,
     retain_until date,
     updated_at timestamptz NOT NULL,
     trail_hash bytea NOT NULL,
     CONSTRAINT reviews_proposal CHECK ((proposed_by IS NULL) = (resolution IS NULL)
       AND (resolution IS NULL) = (report IS NULL) AND (resolution IS NULL) = (justification IS NULL)),
     CONSTRAINT reviews_four_eyes CHECK (closed_by IS NULL OR closed_by <> proposed_by),
     CONSTRAINT reviews_closed CHECK ((status = 'CLOSED') = (closed_at IS NOT NULL) AND
       (status NOT IN ('PENDING_APPROVAL', 'CLOSED') OR proposed_by IS NOT NULL))
   )`,
  `CREATE INDEX reviews_queue ON reviews (organisation_id, status, priority, due_at, id)`,
  `CREATE INDEX reviews_customer ON reviews (organisation_id, customer_id, id)`,
  `CREATE INDEX reviews_assignee ON reviews (organisation_id, assignee_id, status)`,
  `CREATE INDEX reviews_session ON reviews (organisation_id, session_ref) WHERE session_ref IS NOT NULL`,
  // One case for what is missing about a customer, as long as nobody has begun it and it can still be overseen. A name
  // that ends in _race: whoever violates the constraint planned with what is no longer so, and plans again.
  `CREATE UNIQUE INDEX reviews_data_gap_race ON reviews (organisation_id, customer_id)
     WHERE kind = 'DATA_GAP' AND status = 'OPEN' AND linked < 500`,
  ...protect('reviews'),

  `CREATE TABLE review_transactions (
     review_id uuid NOT NULL CONSTRAINT review_transactions_race REFERENCES reviews (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     transaction_ref uuid NOT NULL,
     evaluation_version integer NOT NULL,
     origin text NOT NULL CHECK (origin IN ('EVALUATION', 'OPERATOR', 'REOPENED')),
     linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (review_id, transaction_ref, evaluation_version)
   )`,
  // An evaluation opens one case, however often it asks.
  `CREATE UNIQUE INDEX review_transactions_once_race ON review_transactions
     (organisation_id, transaction_ref, evaluation_version) WHERE origin = 'EVALUATION'`,
  `CREATE INDEX review_transactions_of ON review_transactions (organisation_id, transaction_ref)`,
  ...protect('review_transactions'),

  `CREATE TABLE review_hits (
     review_id uuid NOT NULL CONSTRAINT review_hits_race REFERENCES reviews (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     hit_id uuid NOT NULL REFERENCES screening_hits (id),
     linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (review_id, hit_id)
   )`,
  `CREATE INDEX review_hits_of ON review_hits (organisation_id, hit_id)`,
  ...protect('review_hits'),

  `CREATE TABLE review_notes (
     id uuid PRIMARY KEY,
     review_id uuid NOT NULL REFERENCES reviews (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     author_id uuid NOT NULL REFERENCES operators (id),
     sealed bytea NOT NULL,
     artifact_ids uuid[] NOT NULL DEFAULT '{}',
     written_at timestamptz NOT NULL
   )`,
  `CREATE INDEX review_notes_of ON review_notes (review_id, id)`,
  ...protect('review_notes'),

  // What a decision still has to reach; gone when it has.
  `CREATE TABLE review_effects (
     review_id uuid NOT NULL REFERENCES reviews (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     target text NOT NULL CHECK (target IN ('KYT', 'SESSIONS')),
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (review_id, target)
   )`,
  ...protect('review_effects'),

  // --- hits that a round over the customers found, until they have a case --------------------------------------
  `ALTER TABLE screening_hits ADD COLUMN awaits_case boolean NOT NULL DEFAULT false`,
  `CREATE INDEX screening_hits_awaiting ON screening_hits (id) WHERE awaits_case`,

  // --- what persons decided about transactions ------------------------------------------------------------------
  `CREATE TABLE kyt_decisions (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     transaction_ref uuid NOT NULL REFERENCES kyt_transactions (id),
     evaluation_version integer NOT NULL,
     review_id uuid NOT NULL REFERENCES reviews (id),
     outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REJECTED')),
     event_sequence integer NOT NULL,
     decided_at timestamptz NOT NULL,
     trail_hash bytea NOT NULL,
     CONSTRAINT kyt_decisions_once UNIQUE (review_id, transaction_ref)
   )`,
  `CREATE INDEX kyt_decisions_of ON kyt_decisions (organisation_id, transaction_ref, event_sequence)`,
  ...protect('kyt_decisions'),

  // --- customers, completed ----------------------------------------------------------------------------------
  `ALTER TABLE customers
     ADD COLUMN risk_level text CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH')),
     ADD COLUMN risk_level_by text CHECK (risk_level_by IN ('SYSTEM', 'OPERATOR')),
     ADD COLUMN merged_into uuid REFERENCES customers (id),
     ADD COLUMN relationship_ended_on date,
     ADD COLUMN last_activity_at timestamptz,
     ADD COLUMN legal_hold_by uuid REFERENCES operators (id),
     ADD COLUMN legal_hold_at timestamptz,
     ADD COLUMN legal_hold_reason bytea,
     ADD COLUMN restricted_at timestamptz,
     ADD COLUMN erased_at timestamptz,
     ADD COLUMN profile_version integer NOT NULL DEFAULT 1`,
  `CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL`,

  `GRANT SELECT, INSERT, UPDATE ON reviews TO vigia_app`,
  `GRANT SELECT, INSERT ON review_transactions, review_hits, review_notes, kyt_decisions TO vigia_app`,
  `GRANT SELECT, INSERT, DELETE ON review_effects TO vigia_app`,
];
