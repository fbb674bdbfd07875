import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the desk of the reviewers adds: which revision a proposal is about, kinds of notes, one re-opening at a time. */
export class ReviewDesk1763600000101 implements MigrationInterface {
  name = 'ReviewDesk1763600000101';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Cases and decisions must be kept for ten years; they are not undone. Restore a backup.');
  }
}

const statements = [
  `ALTER TABLE reviews ADD COLUMN proposed_revision integer`,
  `ALTER TABLE review_notes ADD COLUMN kind text NOT NULL DEFAULT 'NOTE'
     CHECK (kind IN ('REASON', 'NOTE', 'INFO_REQUEST', 'INFO', 'JUSTIFICATION', 'RETURN'))`,
  // Asking twice to open a case again gives one case, not two.
  `CREATE UNIQUE INDEX reviews_reopened ON reviews (reopened_from) WHERE status <> 'CLOSED'`,
  // Whoever carries a decision out holds its row meanwhile, which needs the right to change it.
  `GRANT UPDATE ON review_effects TO vigia_app`,
];
