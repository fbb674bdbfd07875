import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/** Which transactions wait for a session: one session answers for all that asked while its link stood. */
export class StepUps1763600000096 implements MigrationInterface {
  name = 'StepUps1763600000096';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('What asked for a session is evidence; it is not undone. Restore a backup.');
  }
}

const statements = [
  `CREATE TABLE kyc_session_transactions (
     session_id uuid NOT NULL REFERENCES kyc_sessions (id),
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     transaction_ref uuid NOT NULL,
     evaluation_version integer NOT NULL,
     asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     announced_at timestamptz,
     re_evaluated_at timestamptz,
     PRIMARY KEY (session_id, transaction_ref)
   )`,
  `CREATE INDEX kyc_session_transactions_waiting ON kyc_session_transactions (announced_at)
     WHERE announced_at IS NOT NULL AND re_evaluated_at IS NULL`,
  `CREATE INDEX kyc_sessions_approved ON kyc_sessions (organisation_id, customer_id, ended_at)
     WHERE outcome = 'APPROVED'`,
  `CREATE INDEX kyc_sessions_open ON kyc_sessions (organisation_id, customer_id)
     WHERE status = 'PENDING'`,
  ...protect('kyc_session_transactions'),
  `GRANT SELECT, INSERT, UPDATE ON kyc_session_transactions TO vigia_app`,
];
