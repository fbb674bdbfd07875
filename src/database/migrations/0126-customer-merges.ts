import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a record was merged into that of the same person; what every process looks for each second. */
export class CustomerMerges1763600000126 implements MigrationInterface {
  name = 'CustomerMerges1763600000126';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Merged records are not parted again. Restore a backup.');
  }
}

const statements = [
  `ALTER TABLE customers ADD COLUMN merged_at timestamptz`,
  `UPDATE customers SET merged_at = updated_at WHERE merged_into IS NOT NULL`,
  // Only a record without a document is merged, into one that has it: so there are no chains.
  `ALTER TABLE customers ADD CONSTRAINT customers_merge CHECK ((merged_into IS NULL) = (merged_at IS NULL)
     AND (merged_into IS NULL OR document_index IS NULL))`,
  `CREATE INDEX customers_merged_at ON customers (merged_at) WHERE merged_at IS NOT NULL`,
  `CREATE INDEX subject_keys_erasing ON subject_keys (erase_requested_at)
     WHERE erase_requested_at IS NOT NULL AND destroyed_at IS NULL`,
  // A case about missing data that came along with a merged record may stand beside that of the person.
  `ALTER TABLE reviews ADD COLUMN moved_from uuid REFERENCES customers (id)`,
  `DROP INDEX reviews_data_gap_race`,
  `CREATE UNIQUE INDEX reviews_data_gap_race ON reviews (organisation_id, customer_id)
     WHERE kind = 'DATA_GAP' AND status = 'OPEN' AND linked < 500 AND moved_from IS NULL`,
];
