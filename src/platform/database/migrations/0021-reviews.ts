import { protect } from './protect.js';
import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const WORKING = `('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO')`;

/**
 * Review cases with their subjects and notes, and the effects of decisions that are still to be applied.
 *
 * The audit entries of a case are its history; the row holds its current state. A closed case is never reopened: a new
 * case refers to it. A case about a person collects later alerts, one case per customer and theme, until a decision is
 * proposed. Each alert stores its reasons, amount and countries, and the case their sum, so that listing cases decrypts
 * no transaction.
 */
export class Reviews1765000000021 extends SqlMigration {
  protected override readonly statements = [
    // moved_from: a customer merge moved this case about missing data from the merged record, so the surviving customer
    // may have a second one.
    `CREATE TABLE reviews (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('SCORE', 'HIT', 'DATA_GAP', 'SESSION', 'MANUAL')),
       status text NOT NULL DEFAULT 'OPEN'
         CHECK (status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED', 'MERGED')),
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
       approval_id uuid,
       single_control boolean NOT NULL DEFAULT false,
       theme text NOT NULL CHECK (theme IN ('SCREENING', 'STRUCTURING', 'ACCOUNT_TAKEOVER', 'FRAUD', 'GEOGRAPHY',
         'CUSTOMER', 'IDENTITY', 'DATA_GAP', 'OTHER')),
       points integer NOT NULL DEFAULT 0,
       collects boolean NOT NULL DEFAULT false,
       amount_cents bigint,
       lead jsonb,
       merged_into uuid,
       split_from uuid,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (assignee_id, organisation_id) REFERENCES operators,
       FOREIGN KEY (reopened_from, organisation_id) REFERENCES reviews,
       FOREIGN KEY (proposed_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (closed_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (moved_from, organisation_id) REFERENCES customers,
       FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       FOREIGN KEY (merged_into, organisation_id) REFERENCES reviews,
       FOREIGN KEY (split_from, organisation_id) REFERENCES reviews,
       CONSTRAINT reviews_proposal CHECK ((proposed_by IS NULL) = (resolution IS NULL)
         AND (resolution IS NULL) = (report IS NULL) AND (resolution IS NULL) = (justification IS NULL)),
       CONSTRAINT reviews_four_eyes CHECK (closed_by IS NULL OR closed_by <> proposed_by OR single_control),
       CONSTRAINT reviews_closed CHECK ((status = 'CLOSED') = (closed_at IS NOT NULL) AND
         (status NOT IN ('PENDING_APPROVAL', 'CLOSED') OR proposed_by IS NOT NULL)),
       CONSTRAINT reviews_collects CHECK (NOT collects OR
         (customer_id IS NOT NULL AND moved_from IS NULL AND status IN ${WORKING})),
       CONSTRAINT reviews_merged CHECK ((status = 'MERGED') = (merged_into IS NOT NULL))
     )`,
    `CREATE INDEX reviews_queue ON reviews (organisation_id, status, priority, due_at, id)`,
    `CREATE INDEX reviews_customer ON reviews (organisation_id, customer_id, id)`,
    `CREATE INDEX reviews_assignee ON reviews (organisation_id, assignee_id, status)`,
    `CREATE INDEX reviews_session ON reviews (organisation_id, session_ref) WHERE session_ref IS NOT NULL`,
    // A constraint whose name ends in _race fails if the writer planned with an outdated state; the writer then plans
    // again.
    `CREATE UNIQUE INDEX reviews_collecting_race ON reviews (organisation_id, customer_id, theme) WHERE collects`,
    // A repeated request to reopen a case creates one case, not two.
    `CREATE UNIQUE INDEX reviews_reopened ON reviews (reopened_from, organisation_id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_communicated ON reviews (id) WHERE status = 'CLOSED' AND report = 'COMMUNICATE'`,
    // Open cases in each sort order of the lists. The index grows with the backlog, not with the history.
    `CREATE INDEX reviews_open_queue ON reviews (organisation_id, priority, due_at, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_due ON reviews (organisation_id, due_at, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_amount ON reviews (organisation_id, coalesce(amount_cents, -1), id)
       WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_points ON reviews (organisation_id, points, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_by_age ON reviews (organisation_id, id)`,
    `CREATE INDEX reviews_merged_into ON reviews (organisation_id, merged_into) WHERE merged_into IS NOT NULL`,
    // A merge of cases loses nothing: every transaction, hit and session of the merged case is in the surviving case,
    // which has the same subject.
    `CREATE FUNCTION require_nothing_left() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM reviews o WHERE o.organisation_id = NEW.organisation_id AND o.id = NEW.merged_into
            AND o.customer_id IS NOT DISTINCT FROM NEW.customer_id)
          OR EXISTS (SELECT FROM review_transactions l WHERE l.organisation_id = NEW.organisation_id
            AND l.review_id = NEW.id AND l.origin <> 'RELATED' AND NOT EXISTS (SELECT FROM review_transactions o
              WHERE o.organisation_id = NEW.organisation_id AND o.review_id = NEW.merged_into
                AND o.transaction_ref = l.transaction_ref AND o.evaluation_version = l.evaluation_version))
          OR EXISTS (SELECT FROM review_hits l WHERE l.organisation_id = NEW.organisation_id
            AND l.review_id = NEW.id AND NOT EXISTS (SELECT FROM review_hits o
              WHERE o.organisation_id = NEW.organisation_id AND o.review_id = NEW.merged_into
                AND o.hit_id = l.hit_id)) THEN
         RAISE EXCEPTION 'a case is merged with all that it is about' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER reviews_merged_whole AFTER UPDATE OF status ON reviews DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE} AND NEW.status = 'MERGED') EXECUTE FUNCTION require_nothing_left()`,
    // RELATED: context for the case; its decision does not change the transaction. came_with: the merged cases through
    // which the row arrived, the last one at the end; undoing a merge removes the rows that it brought.
    `CREATE TABLE review_transactions (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       transaction_ref uuid NOT NULL,
       evaluation_version integer NOT NULL,
       origin text NOT NULL CHECK (origin IN ('EVALUATION', 'LOOK_BACK', 'OPERATOR', 'REOPENED', 'RELATED')),
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       points integer,
       amount_cents bigint,
       lead jsonb,
       rules text[] NOT NULL DEFAULT '{}',
       countries text[] NOT NULL DEFAULT '{}',
       came_with uuid[] NOT NULL DEFAULT '{}',
       look_back_id uuid,
       PRIMARY KEY (review_id, transaction_ref, evaluation_version, organisation_id),
       CONSTRAINT review_transactions_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (look_back_id, organisation_id) REFERENCES look_backs,
       CONSTRAINT review_transactions_look_back CHECK (origin <> 'LOOK_BACK' OR look_back_id IS NOT NULL)
     )`,
    // An evaluation opens at most one case, even if the request is repeated.
    `CREATE UNIQUE INDEX review_transactions_once_race ON review_transactions
       (organisation_id, transaction_ref, evaluation_version) WHERE origin = 'EVALUATION'`,
    `CREATE INDEX review_transactions_of ON review_transactions (organisation_id, transaction_ref)`,
    // An alert of a look-back run belongs to one case.
    `CREATE UNIQUE INDEX review_transactions_once_looked_back ON review_transactions
       (organisation_id, look_back_id, transaction_ref) WHERE origin = 'LOOK_BACK'`,
    `CREATE INDEX review_transactions_looked_back ON review_transactions (organisation_id, look_back_id)
       WHERE look_back_id IS NOT NULL`,
    // Only related transactions can be removed from a case; an alert stays.
    `CREATE POLICY only_related ON review_transactions AS RESTRICTIVE FOR DELETE USING (origin = 'RELATED')`,
    // The database sets the time of the link, because a decision covers the transactions that were linked when it was
    // proposed.
    `CREATE FUNCTION time_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.linked_at := clock_timestamp();
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER review_transactions_timed BEFORE INSERT ON review_transactions FOR EACH ROW
       WHEN (${SERVICE}) EXECUTE FUNCTION time_of_link()`,
    `CREATE TABLE review_hits (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hit_id uuid NOT NULL,
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       came_with uuid[] NOT NULL DEFAULT '{}',
       look_back_id uuid,
       PRIMARY KEY (review_id, hit_id, organisation_id),
       CONSTRAINT review_hits_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (hit_id, organisation_id) REFERENCES screening_hits,
       FOREIGN KEY (look_back_id, organisation_id) REFERENCES look_backs
     )`,
    `CREATE INDEX review_hits_of ON review_hits (organisation_id, hit_id)`,
    `CREATE INDEX review_hits_looked_back ON review_hits (organisation_id, look_back_id) WHERE look_back_id IS NOT NULL`,
    // Links move only between cases without a pending proposal, and get a new time, because a decision covers the links
    // that existed when it was proposed.
    `CREATE FUNCTION move_between_cases() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT count(*) FROM reviews r WHERE r.organisation_id = NEW.organisation_id
             AND r.id IN (OLD.review_id, NEW.review_id) AND r.status IN ${WORKING}) <> 2
          OR (to_jsonb(OLD) - 'review_id' - 'came_with' - 'linked_at')
             <> (to_jsonb(NEW) - 'review_id' - 'came_with' - 'linked_at') THEN
         RAISE EXCEPTION 'a row of % stays in its case', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
       END IF;
       NEW.linked_at := clock_timestamp();
       RETURN NEW;
     END $$`,
    ...['review_transactions', 'review_hits'].map(
      (table) => `CREATE TRIGGER ${table}_moved BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${SERVICE})
        EXECUTE FUNCTION move_between_cases()`,
    ),
    // Labels for finding cases. Rows instead of an array, because the policies allow no index over an array.
    `CREATE TABLE review_labels (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('RULE', 'COUNTRY')),
       value text NOT NULL,
       PRIMARY KEY (review_id, kind, value, organisation_id),
       CONSTRAINT review_labels_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews
     )`,
    `CREATE INDEX review_labels_of ON review_labels (organisation_id, kind, value, review_id)`,
    `CREATE TABLE review_people (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       customer_id uuid NOT NULL,
       linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, customer_id, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers
     )`,
    `CREATE INDEX review_people_of ON review_people (organisation_id, customer_id)`,
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
    // Effects of a decision that are still to be applied; the worker deletes the row afterwards.
    `CREATE TABLE review_effects (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       target text NOT NULL CHECK (target IN ('KYT', 'SESSIONS')),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (review_id, target, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews
     )`,
    ...protect('reviews', 'review_transactions', 'review_hits', 'review_labels', 'review_people'),
    ...protect('review_notes', 'review_effects'),
    `GRANT SELECT, INSERT ON review_hits, review_notes TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON review_transactions, review_labels, review_people TO vigia_app`,
    `GRANT UPDATE (review_id, came_with, linked_at) ON review_transactions, review_hits TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON reviews TO vigia_app`,
    // UPDATE is granted because the worker that applies a decision locks its row.
    `GRANT SELECT, INSERT, UPDATE, DELETE ON review_effects TO vigia_app`,
  ];
}
