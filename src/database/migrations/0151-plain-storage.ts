import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How rows of the hot path are kept. What is sealed does not compress, so nobody tries to. An evaluation stays in one
 * piece when it fits after compression: most are between 2 and 3 KB, and a row beside the row is a second insert.
 */
export class PlainStorage1763600000151 implements MigrationInterface {
  name = 'PlainStorage1763600000151';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, column } of sealed) await runner.query(storage(table, column, 'EXTERNAL'));
    await runner.query('ALTER TABLE kyt_evaluations SET (toast_tuple_target = 3000)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE kyt_evaluations RESET (toast_tuple_target)');
    for (const { table, column } of sealed) await runner.query(storage(table, column, 'EXTENDED'));
  }
}

const sealed = [
  { table: 'events', column: 'sealed_payload' },
  { table: 'kyt_transactions', column: 'sealed_body' },
  { table: 'customers', column: 'sealed' },
];

const storage = (table: string, column: string, kind: 'EXTERNAL' | 'EXTENDED'): string =>
  `ALTER TABLE ${table} ALTER COLUMN ${column} SET STORAGE ${kind}`;
