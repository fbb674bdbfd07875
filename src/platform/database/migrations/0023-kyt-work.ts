import { protect } from './protect.js';
import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Work that is still to be done for transactions, decisions of people, and dead letters.
 *
 * - The narrow row in `kyt_work` holds lease and attempt count, and is deleted when the transaction is evaluated. A
 *   transaction always has a work row or an evaluation.
 * - `kyt_late_effects`: re-evaluations because of late transactions. ARRIVED: the transactions whose windows include
 *   the late one are not searched yet; both columns then name the late one. FOUND: an affected transaction is still to
 *   be re-evaluated, and its row is deleted with the new evaluation.
 * - Only the decision of a case sets the outcome of a transaction in that case.
 */
export class KytWork1765000000023 extends SqlMigration {
  protected override readonly statements = [
    // Half-filled pages let the claim update a row in place (HOT). Rows exist for milliseconds.
    `CREATE TABLE kyt_work (
       transaction_ref uuid PRIMARY KEY,
       organisation_id uuid NOT NULL,
       status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'PROCESSING', 'DEAD_LETTERED')),
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       generation integer NOT NULL DEFAULT 1,
       due_at timestamptz NOT NULL,
       lease_owner text,
       failure_code text,
       failure_stage text,
       queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       discarded_at timestamptz,
       CONSTRAINT kyt_work_discarded CHECK (discarded_at IS NULL OR status = 'DEAD_LETTERED')
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    `CREATE INDEX kyt_work_dead ON kyt_work (organisation_id, transaction_ref) WHERE status = 'DEAD_LETTERED'`,
    // A dead letter is queued again or kept, discarded or not; its row is never deleted.
    `CREATE FUNCTION refuse_loss() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'a dead letter does not go' USING ERRCODE = 'restrict_violation';
     END $$`,
    `CREATE TRIGGER kyt_work_dead_kept BEFORE DELETE ON kyt_work FOR EACH ROW
       WHEN (${SERVICE} AND OLD.status = 'DEAD_LETTERED') EXECUTE FUNCTION refuse_loss()`,
    `CREATE TRIGGER kyt_work_dead_queued BEFORE UPDATE OF status ON kyt_work FOR EACH ROW
       WHEN (${SERVICE} AND OLD.status = 'DEAD_LETTERED' AND NEW.status NOT IN ('DEAD_LETTERED', 'QUEUED'))
       EXECUTE FUNCTION refuse_loss()`,
    `CREATE TABLE kyt_late_effects (
       affected_ref uuid NOT NULL,
       late_ref uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       state text NOT NULL CHECK (state IN ('ARRIVED', 'FOUND')),
       due_at timestamptz NOT NULL,
       PRIMARY KEY (affected_ref, late_ref, organisation_id),
       CONSTRAINT kyt_late_effects_arrived CHECK ((state = 'ARRIVED') = (affected_ref = late_ref))
     ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    `CREATE INDEX kyt_late_effects_due ON kyt_late_effects (due_at)`,
    // Decisions of people about transactions.
    `CREATE TABLE kyt_decisions (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       transaction_ref uuid NOT NULL REFERENCES kyt_transactions (id),
       evaluation_version integer NOT NULL,
       review_id uuid NOT NULL,
       outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REJECTED')),
       event_sequence integer NOT NULL,
       decided_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       CONSTRAINT kyt_decisions_once UNIQUE (review_id, transaction_ref, organisation_id)
     )`,
    `CREATE INDEX kyt_decisions_of ON kyt_decisions (organisation_id, transaction_ref, event_sequence)`,
    // A decision about an outdated evaluation changes nothing.
    `CREATE FUNCTION kyt_note_decision() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO kyt_standings AS s
         (transaction_ref, organisation_id, evaluation_version, outcome, risk_score, defensible)
       SELECT e.transaction_ref, e.organisation_id, e.evaluation_version, NEW.outcome, e.risk_score, e.defensible
       FROM kyt_evaluations e
       WHERE e.transaction_ref = NEW.transaction_ref AND e.organisation_id = NEW.organisation_id
         AND e.evaluation_version = NEW.evaluation_version
       ON CONFLICT (transaction_ref, organisation_id) DO UPDATE SET outcome = excluded.outcome
       WHERE s.evaluation_version = excluded.evaluation_version;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER kyt_decisions_standing AFTER INSERT ON kyt_decisions FOR EACH ROW
       EXECUTE FUNCTION kyt_note_decision()`,
    `CREATE FUNCTION require_decided_case() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM reviews r
         JOIN review_transactions l ON l.review_id = r.id AND l.organisation_id = r.organisation_id
         JOIN approvals a ON a.id = r.approval_id AND a.organisation_id = r.organisation_id
         WHERE r.organisation_id = NEW.organisation_id AND r.id = NEW.review_id AND r.status = 'CLOSED'
           AND r.single_control = NEW.single_control AND r.closed_at = NEW.decided_at
           AND (r.resolution = 'REJECTED') = (NEW.outcome = 'REJECTED')
           AND a.act = 'case.close' AND a.status = 'APPLIED'
           AND l.transaction_ref = NEW.transaction_ref AND l.origin <> 'RELATED' AND l.linked_at <= a.asked_at) THEN
         RAISE EXCEPTION 'a transaction is decided without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER kyt_decisions_approved AFTER INSERT ON kyt_decisions DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE}) EXECUTE FUNCTION require_decided_case()`,
    // Dead letters that an institution decides never to evaluate: a single one with a reason, many with a second
    // person. A request names each transaction with its generation, because a transaction that failed again after a
    // replay is another dead letter.
    `CREATE TABLE dead_letter_discards (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPROVED', 'WITHDRAWN')),
       reason text NOT NULL,
       transaction_refs uuid[] NOT NULL,
       discarded integer,
       requested_by text NOT NULL,
       requested_at timestamptz NOT NULL,
       decided_by text,
       decided_at timestamptz,
       generations integer[] NOT NULL,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT dead_letter_discards_decided CHECK ((status = 'REQUESTED') = (decided_at IS NULL)),
       CONSTRAINT dead_letter_discards_generations CHECK (cardinality(generations) = cardinality(transaction_refs))
     )`,
    `CREATE FUNCTION require_discard() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM approvals a
         JOIN dead_letter_discards d ON d.id::text = a.subject_id AND d.organisation_id = a.organisation_id
         WHERE a.organisation_id = NEW.organisation_id AND a.act = 'dead_letter.discard'
           AND a.applied_in = pg_current_xact_id()::text AND NEW.transaction_ref = ANY (d.transaction_refs)) THEN
         RAISE EXCEPTION 'a transaction is discarded without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER kyt_work_discard_approved AFTER UPDATE OF discarded_at ON kyt_work
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND OLD.discarded_at IS NULL AND NEW.discarded_at IS NOT NULL)
       EXECUTE FUNCTION require_discard()`,
    ...protect('kyt_work', 'kyt_late_effects', 'kyt_decisions', 'dead_letter_discards'),
    `GRANT SELECT, INSERT ON kyt_decisions, dead_letter_discards TO vigia_app`,
    `GRANT UPDATE (status, discarded, decided_by, decided_at) ON dead_letter_discards TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON kyt_work, kyt_late_effects TO vigia_app`,
  ];
}
