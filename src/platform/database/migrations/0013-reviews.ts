import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Review cases with their subjects and notes, and the effects that a decision still has to reach.
 *
 * The audit entries of a case tell its history; the row says where it stands. A case is never opened again: a new one points
 * at the old.
 */
export class Reviews1764000000013 extends SqlMigration {
  override readonly name = 'Reviews1764000000013';
  protected override readonly statements = [
    // moved_from: a case about missing data came along with a merged record, and may stand beside that of the person.
    `CREATE TABLE reviews (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('SCORE', 'HIT', 'DATA_GAP', 'SESSION', 'MANUAL')),
       status text NOT NULL DEFAULT 'OPEN'
         CHECK (status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED')),
       priority smallint NOT NULL CHECK (priority BETWEEN 1 AND 4),
       queue text NOT NULL,
       client_app_id uuid,
       customer_id uuid,
       session_ref uuid,
       risk_score integer,
       linked integer NOT NULL DEFAULT 0,
       revision integer NOT NULL DEFAULT 1,
       assignee_id uuid,
       assigned_at timestamptz,
       reopened_from uuid,
       opened_by text NOT NULL,
       opened_at timestamptz NOT NULL,
       begun_at timestamptz,
       selection_deadline timestamptz NOT NULL,
       analysis_deadline timestamptz NOT NULL,
       response_deadline timestamptz,
       report_deadline timestamptz,
       reported_at timestamptz,
       due_at timestamptz NOT NULL,
       proposed_by uuid,
       proposed_at timestamptz,
       resolution text CHECK (resolution IN ('APPROVED', 'REJECTED', 'FALSE_POSITIVE')),
       report text CHECK (report IN ('COMMUNICATE', 'ARCHIVE')),
       justification bytea,
       closed_by uuid,
       closed_at timestamptz,
       retain_until date,
       updated_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       proposed_revision integer,
       moved_from uuid,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (assignee_id, organisation_id) REFERENCES operators,
       FOREIGN KEY (reopened_from, organisation_id) REFERENCES reviews,
       FOREIGN KEY (proposed_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (closed_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (moved_from, organisation_id) REFERENCES customers,
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
    // that ends in _race: the writer planned with a state that is no longer so, and plans again.
    `CREATE UNIQUE INDEX reviews_data_gap_race ON reviews (organisation_id, customer_id)
       WHERE kind = 'DATA_GAP' AND status = 'OPEN' AND linked < 500 AND moved_from IS NULL`,
    // Asking twice to open a case again gives one case, not two.
    `CREATE UNIQUE INDEX reviews_reopened ON reviews (reopened_from, organisation_id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_communicated ON reviews (id) WHERE status = 'CLOSED' AND report = 'COMMUNICATE'`,
    `CREATE TABLE review_transactions (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       transaction_ref uuid NOT NULL,
       evaluation_version integer NOT NULL,
       origin text NOT NULL CHECK (origin IN ('EVALUATION', 'OPERATOR', 'REOPENED')),
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, transaction_ref, evaluation_version, organisation_id),
       CONSTRAINT review_transactions_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews
     )`,
    // An evaluation opens one case, however often it asks.
    `CREATE UNIQUE INDEX review_transactions_once_race ON review_transactions
       (organisation_id, transaction_ref, evaluation_version) WHERE origin = 'EVALUATION'`,
    `CREATE INDEX review_transactions_of ON review_transactions (organisation_id, transaction_ref)`,
    `CREATE TABLE review_hits (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hit_id uuid NOT NULL,
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, hit_id, organisation_id),
       CONSTRAINT review_hits_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (hit_id, organisation_id) REFERENCES screening_hits
     )`,
    `CREATE INDEX review_hits_of ON review_hits (organisation_id, hit_id)`,
    `CREATE TABLE review_notes (
       id uuid NOT NULL,
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       author_id uuid NOT NULL,
       sealed bytea NOT NULL,
       artifact_ids uuid[] NOT NULL DEFAULT '{}',
       written_at timestamptz NOT NULL,
       kind text NOT NULL DEFAULT 'NOTE'
         CHECK (kind IN ('REASON', 'NOTE', 'INFO_REQUEST', 'INFO', 'JUSTIFICATION', 'RETURN')),
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (author_id, organisation_id) REFERENCES operators
     )`,
    `CREATE INDEX review_notes_of ON review_notes (review_id, id)`,
    // The effects that a decision still has to reach; a row goes when it is reached.
    `CREATE TABLE review_effects (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       target text NOT NULL CHECK (target IN ('KYT', 'SESSIONS')),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, target, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews
     )`,
    ...audited('reviews', {
      subject: 'review',
      state: ['status', 'assignee_id', 'resolution', 'report', 'closed_by'],
    }),
    ...['reviews', 'review_transactions', 'review_hits', 'review_notes', 'review_effects'].flatMap((table) =>
      protect(table),
    ),
    `GRANT SELECT, INSERT ON review_transactions, review_hits, review_notes TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON reviews TO vigia_app`,
    // A worker that carries a decision out locks its row meanwhile, which needs the right to change it.
    `GRANT SELECT, INSERT, UPDATE, DELETE ON review_effects TO vigia_app`,
  ];
}
