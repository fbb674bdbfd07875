import { SqlMigration } from './sql-migration.js';

/**
 * `customers.risk_confirmed`: the risk level that more than one operator stands behind, where an operator set it.
 * `freezes.lifted_single_control`: one person alone ended the freeze, so that results about the person say so.
 */
export class OnePerson1765000000036 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE customers ADD COLUMN risk_confirmed text CHECK (risk_confirmed IN ('LOW', 'MEDIUM', 'HIGH'))`,
    `ALTER TABLE freezes ADD COLUMN lifted_single_control boolean NOT NULL DEFAULT false`,
    `GRANT UPDATE (lifted_single_control) ON freezes TO vigia_app`,
    // The reconciler looks for confirmed facts whose transactions still wait.
    `CREATE INDEX approvals_facts_confirmed ON approvals (applied_at) WHERE act = 'fact.confirm' AND status = 'APPLIED'`,
  ];
}
