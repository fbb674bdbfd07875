import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Ways for the lists of operators, without an index over each of millions of rows.
 *
 * - `kyt_standings`: transactions whose newest evaluation is not simply an approval, with where they stand now. Triggers
 *   keep it, so that nothing that is written can be missed; for most transactions they do nothing.
 * - `received_span`: in an index by type or application the rows of one span have the same key, and take six bytes each.
 * - The institution's id of a customer is only asked for as a whole: a hash index is a quarter of a tree.
 */
export class KytLists1764000000152 extends SqlMigration {
  override readonly name = 'KytLists1764000000152';
  protected override readonly statements = [
    `CREATE TABLE kyt_standings (
       transaction_ref uuid NOT NULL,
       organisation_id uuid NOT NULL,
       evaluation_version integer NOT NULL,
       outcome text NOT NULL,
       risk_score integer,
       defensible boolean NOT NULL,
       PRIMARY KEY (transaction_ref, organisation_id)
     ) WITH (fillfactor = 90)`,
    `CREATE INDEX kyt_standings_outcome ON kyt_standings (organisation_id, outcome, transaction_ref)`,
    `CREATE INDEX kyt_standings_score ON kyt_standings (organisation_id, risk_score, transaction_ref) WHERE risk_score > 0`,
    `CREATE INDEX kyt_standings_undefended ON kyt_standings (organisation_id, transaction_ref) WHERE NOT defensible`,
    ...protect('kyt_standings'),
    `GRANT SELECT, INSERT, UPDATE ON kyt_standings TO vigia_app`,
    `CREATE FUNCTION kyt_note_standing() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO kyt_standings AS s
         (transaction_ref, organisation_id, evaluation_version, outcome, risk_score, defensible)
       VALUES (NEW.transaction_ref, NEW.organisation_id, NEW.evaluation_version, NEW.outcome, NEW.risk_score, NEW.defensible)
       ON CONFLICT (transaction_ref, organisation_id) DO UPDATE
       SET evaluation_version = excluded.evaluation_version, outcome = excluded.outcome,
           risk_score = excluded.risk_score, defensible = excluded.defensible
       WHERE s.evaluation_version < excluded.evaluation_version;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER kyt_evaluations_standing AFTER INSERT ON kyt_evaluations FOR EACH ROW
       WHEN (NEW.outcome <> 'APPROVED' OR NOT NEW.defensible OR NEW.risk_score > 0 OR NEW.evaluation_version > 1)
       EXECUTE FUNCTION kyt_note_standing()`,
    // A decision about a version that is not the newest any more changes nothing.
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
    `SET LOCAL vigia.system = 'migration'`,
    `INSERT INTO kyt_standings (transaction_ref, organisation_id, evaluation_version, outcome, risk_score, defensible)
     SELECT e.transaction_ref, e.organisation_id, e.evaluation_version, coalesce(d.outcome, e.outcome), e.risk_score,
            e.defensible
     FROM (SELECT DISTINCT ON (transaction_ref) * FROM kyt_evaluations
           ORDER BY transaction_ref, evaluation_version DESC) e
     LEFT JOIN LATERAL (SELECT d.outcome FROM kyt_decisions d
       WHERE d.organisation_id = e.organisation_id AND d.transaction_ref = e.transaction_ref
         AND d.evaluation_version = e.evaluation_version ORDER BY d.event_sequence DESC LIMIT 1) d ON true
     WHERE e.outcome <> 'APPROVED' OR NOT e.defensible OR e.risk_score > 0 OR e.evaluation_version > 1
       OR d.outcome IS NOT NULL`,
    // Computed like velocity_entry: no row is updated, the table is written anew.
    `ALTER TABLE kyt_transactions ADD COLUMN received_span integer NOT NULL
       GENERATED ALWAYS AS (('x' || left(id::text, 8))::bit(32)::integer) STORED`,
    `CREATE INDEX kyt_transactions_type ON kyt_transactions (organisation_id, type, received_span)`,
    `CREATE INDEX kyt_transactions_app ON kyt_transactions (organisation_id, client_app_id, received_span)`,
    `CREATE INDEX kyt_transactions_external ON kyt_transactions USING hash (external_key)`,
  ];
}
