import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/** Dead letters that an institution decides never to evaluate: one by one with a reason, many with a second person. */
export class Discards1763600000052 implements MigrationInterface {
  name = 'Discards1763600000052';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Discarded transactions stay discarded. Restore a backup.');
  }
}

const statements = [
  `ALTER TABLE kyt_work
     ADD COLUMN discarded_at timestamptz,
     ADD CONSTRAINT kyt_work_discarded CHECK (discarded_at IS NULL OR status = 'DEAD_LETTERED')`,
  `CREATE INDEX kyt_work_dead ON kyt_work (organisation_id, transaction_ref) WHERE status = 'DEAD_LETTERED'`,
  `CREATE TABLE dead_letter_discards (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPROVED', 'WITHDRAWN')),
     reason text NOT NULL,
     transaction_refs uuid[] NOT NULL,
     discarded integer,
     requested_by text NOT NULL,
     requested_at timestamptz NOT NULL,
     decided_by text,
     decided_at timestamptz,
     CONSTRAINT dead_letter_discards_four_eyes CHECK (status <> 'APPROVED' OR decided_by <> requested_by),
     CONSTRAINT dead_letter_discards_decided CHECK ((status = 'REQUESTED') = (decided_at IS NULL))
   )`,
  ...protect('dead_letter_discards'),
  `GRANT SELECT, INSERT, UPDATE ON dead_letter_discards TO vigia_app`,
];
