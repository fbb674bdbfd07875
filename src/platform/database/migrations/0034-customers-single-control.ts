import { SqlMigration } from './sql-migration.js';

/** Whether one person alone lowered the risk level in force. */
export class CustomersSingleControl1764000000034 extends SqlMigration {
  override readonly name = 'CustomersSingleControl1764000000034';
  protected override readonly statements = [
    `ALTER TABLE customers ADD COLUMN risk_single_control boolean NOT NULL DEFAULT false`,
  ];
}
