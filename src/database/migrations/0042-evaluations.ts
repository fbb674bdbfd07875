import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an evaluation read, beside what it decided. Stored small and apart from the receipt, which holds their hash: a
 * back-test reads a million of them and no receipt.
 */
export class EvaluationFacts1763600000042 implements MigrationInterface {
  name = 'EvaluationFacts1763600000042';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Facts are evidence of past decisions; they are not undone. Restore a backup.');
  }
}

const statements = [
  `ALTER TABLE kyt_evaluations ADD COLUMN facts bytea`,
  // Compressing a few hundred bytes of numbers takes longer than writing them.
  `ALTER TABLE kyt_evaluations ALTER COLUMN facts SET STORAGE EXTERNAL`,
];
