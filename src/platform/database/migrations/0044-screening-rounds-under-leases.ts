import { SqlMigration } from './sql-migration.js';

/** Rounds are long jobs like the others: queued, claimed in turns, and fenced against workers that lost the lease. */
export class ScreeningRoundsUnderLeases1765000000044 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE screening_rounds
       ADD COLUMN attempts integer NOT NULL DEFAULT 0,
       ADD COLUMN fence integer NOT NULL DEFAULT 0,
       ADD COLUMN started_at timestamptz,
       ALTER COLUMN status SET DEFAULT 'QUEUED',
       ALTER COLUMN lease_until SET DEFAULT now() + interval '30 seconds',
       DROP CONSTRAINT screening_rounds_status_check,
       ADD CONSTRAINT screening_rounds_status_check CHECK (status IN ('QUEUED', 'RUNNING', 'FINISHED'))`,
    `DROP INDEX screening_rounds_open`,
    `CREATE INDEX screening_rounds_open ON screening_rounds (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
  ];
}
