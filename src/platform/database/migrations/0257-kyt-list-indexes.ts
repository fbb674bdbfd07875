import { SqlMigration } from './sql-migration.js';

/**
 * The indexes of lists begin with what is asked for, not with the organisation. Of a table that has no statistics yet the
 * planner takes the organisation alone for as good as the organisation and a customer, and so the windows of every
 * transaction read all transactions of their organisation during the first minute of a database.
 */
export class KytListIndexes1764000000257 extends SqlMigration {
  override readonly name = 'KytListIndexes1764000000257';
  protected override readonly statements = [
    `DROP INDEX kyt_transactions_type`,
    `DROP INDEX kyt_transactions_app`,
    `CREATE INDEX kyt_transactions_type ON kyt_transactions (type, organisation_id, received_span)`,
    `CREATE INDEX kyt_transactions_app ON kyt_transactions (client_app_id, organisation_id, received_span)`,
  ];
}
