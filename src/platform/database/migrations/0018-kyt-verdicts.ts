import { SqlMigration } from './sql-migration.js';

/**
 * An outcome for what waits for the customer, and only those pairs of outcome and action that there can be. A machine
 * rejects nothing: that is a decision of people, which stands in `kyt_decisions`. NOT VALID, for good: evaluations of
 * before are never changed, and some of them approved what a rule wanted to challenge. Transactions look up the sessions
 * that they asked for.
 */
export class KytVerdicts1764000000018 extends SqlMigration {
  override readonly name = 'KytVerdicts1764000000018';
  protected override readonly statements = [
    `ALTER TABLE kyt_evaluations
       DROP CONSTRAINT kyt_evaluations_outcome_check,
       DROP CONSTRAINT kyt_evaluations_approval,
       ADD CONSTRAINT kyt_evaluations_verdict CHECK (
         (outcome, recommended_action) IN
           (('APPROVED', 'NONE'), ('CHALLENGED', 'STEP_UP'), ('REVIEW', 'HOLD'), ('REVIEW', 'DECLINE'))) NOT VALID,
       ADD CONSTRAINT kyt_evaluations_approval CHECK (outcome NOT IN ('APPROVED', 'CHALLENGED') OR defensible) NOT VALID`,
    `CREATE INDEX kyc_session_transactions_of ON kyc_session_transactions (transaction_ref, organisation_id)`,
  ];
}
