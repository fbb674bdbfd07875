import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A request to discard names deaths, not only transactions: one that was replayed since and died again is another death,
 * which nobody asked to discard. Open requests name the ones that their transactions are in now.
 */
export class DiscardedDeaths1763600000154 implements MigrationInterface {
  name = 'DiscardedDeaths1763600000154';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dead_letter_discards DROP COLUMN generations');
  }
}

const statements = [
  `ALTER TABLE dead_letter_discards ADD COLUMN generations integer[]`,
  `UPDATE dead_letter_discards d SET generations = ARRAY(
     SELECT coalesce(w.generation, 0)
     FROM unnest(d.transaction_refs) WITH ORDINALITY AS named (ref, place)
       LEFT JOIN kyt_work w ON w.transaction_ref = named.ref
     ORDER BY place)`,
  `ALTER TABLE dead_letter_discards
     ALTER COLUMN generations SET NOT NULL,
     ADD CONSTRAINT dead_letter_discards_deaths CHECK (cardinality(generations) = cardinality(transaction_refs))`,
];
