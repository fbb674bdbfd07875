import { SqlMigration } from './sql-migration.js';

/** Transactions by the account that was used: who shares it, and whose it is. */
export class KytTransactionsAccount1764000000081 extends SqlMigration {
  override readonly name = 'KytTransactionsAccount1764000000081';
  protected override readonly statements = [
    `CREATE INDEX kyt_transactions_account ON kyt_transactions (organisation_id, account_key, id)
       WHERE account_key IS NOT NULL`,
  ];
}
