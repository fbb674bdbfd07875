import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/** What persons decided about sessions. The result of the checks stays in the session as it was. */
export class SessionDecisions1763600000125 implements MigrationInterface {
  name = 'SessionDecisions1763600000125';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Decisions must be kept for ten years; they are not undone. Restore a backup.');
  }
}

const statements = [
  `CREATE TABLE kyc_session_decisions (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     session_id uuid NOT NULL REFERENCES kyc_sessions (id),
     review_id uuid NOT NULL REFERENCES reviews (id),
     outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REJECTED')),
     event_sequence integer NOT NULL,
     decided_at timestamptz NOT NULL,
     trail_hash bytea NOT NULL,
     CONSTRAINT kyc_session_decisions_once UNIQUE (review_id)
   )`,
  `CREATE INDEX kyc_session_decisions_of ON kyc_session_decisions (organisation_id, session_id, event_sequence)`,
  ...protect('kyc_session_decisions'),
  `GRANT SELECT, INSERT ON kyc_session_decisions TO vigia_app`,
];
