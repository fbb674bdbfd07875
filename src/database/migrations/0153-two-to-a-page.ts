import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is the most that a row may take for two of them to fit into a page. Events and evaluations stay as they are up to
 * there; only larger ones are compressed, and then moved into the table beside the table when that is not enough. Making
 * a receipt of 2.5 KB half as large costs 30 us; a row beside the row is a second insert with an index of its own.
 */
const TWO_TO_A_PAGE = 4080;

export class TwoToAPage1763600000153 implements MigrationInterface {
  name = 'TwoToAPage1763600000153';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['events', 'kyt_evaluations']) {
      await runner.query(`ALTER TABLE ${table} SET (toast_tuple_target = ${TWO_TO_A_PAGE})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE kyt_evaluations SET (toast_tuple_target = 3000)');
    await runner.query('ALTER TABLE events RESET (toast_tuple_target)');
  }
}
