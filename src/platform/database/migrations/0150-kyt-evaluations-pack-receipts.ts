import { SqlMigration } from './sql-migration.js';

/**
 * Receipts are stored packed from now on: see `Packing`. Those that are there keep their bytes, which begin with a brace
 * and are read as they are.
 */
export class KytEvaluationsPackReceipts1764000000150 extends SqlMigration {
  override readonly name = 'KytEvaluationsPackReceipts1764000000150';
  protected override readonly statements = [
    `ALTER TABLE kyt_evaluations ALTER COLUMN receipt TYPE bytea USING convert_to(receipt, 'UTF8')`,
    // Packed bytes do not compress.
    `ALTER TABLE kyt_evaluations ALTER COLUMN receipt SET STORAGE EXTERNAL`,
  ];
}
