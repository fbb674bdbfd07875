import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/** What back-tests read beside the facts of evaluations, and when rules with a cooldown last counted. */
export class BacktestHistory1763600000051 implements MigrationInterface {
  name = 'BacktestHistory1763600000051';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('What past evaluations saw cannot be made again. Restore a backup.');
  }
}

const statements = [
  // Null for evaluations that are older than it; they are no history for a back-test.
  `ALTER TABLE kyt_evaluations ADD COLUMN brief text`,
  `CREATE TABLE rule_cooldowns (
     organisation_id uuid NOT NULL,
     ruleset_key text NOT NULL,
     rule_key text NOT NULL,
     customer_key bytea NOT NULL,
     counted_at timestamptz NOT NULL,
     transaction_ref uuid NOT NULL,
     PRIMARY KEY (organisation_id, customer_key, ruleset_key, rule_key)
   ) WITH (fillfactor = 80)`,
  ...protect('rule_cooldowns'),
  `GRANT SELECT, INSERT, UPDATE ON rule_cooldowns TO vigia_app`,
];
