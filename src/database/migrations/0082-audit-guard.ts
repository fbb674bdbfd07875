import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * What is done when a log is found to be behind what was handed out of it, and when a trail has a gap.
 *
 * - `audit_logs.rolled_back_at` stops sealing, decisions and exports of an organisation until two people declare the
 *   restored state the beginning of the next incarnation (`audit_reincarnations`).
 * - `audit_repairs` answers the gaps of one trail. Entries stay as they are; a repair is beside them.
 */
export class AuditGuard1763600000082 implements MigrationInterface {
  name = 'AuditGuard1763600000082';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Repairs and reincarnations are part of the audit trail; they are not undone.');
  }
}

const statements = [
  `ALTER TABLE audit_logs
     ADD COLUMN rolled_back_at timestamptz,
     ADD COLUMN anchor_incarnation integer,
     ADD COLUMN anchor_size bigint,
     ADD COLUMN anchor_root bytea`,
  `CREATE TABLE audit_reincarnations (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     incarnation integer NOT NULL,
     restored_size bigint NOT NULL,
     anchor_incarnation integer NOT NULL,
     anchor_size bigint NOT NULL,
     anchor_root bytea NOT NULL,
     reason text NOT NULL CHECK (length(reason) BETWEEN 20 AND 2000),
     status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPROVED')),
     requested_by uuid NOT NULL,
     requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     approved_by uuid,
     approved_at timestamptz,
     CHECK (approved_by IS DISTINCT FROM requested_by)
   )`,
  `CREATE UNIQUE INDEX audit_reincarnations_open ON audit_reincarnations (organisation_id) WHERE status = 'REQUESTED'`,
  `CREATE TABLE audit_repairs (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('RECONSTRUCT', 'RE_DERIVE', 'RESTORE', 'ATTEST')),
     gaps jsonb NOT NULL,
     justification text NOT NULL CHECK (length(justification) BETWEEN 20 AND 2000),
     evidence jsonb NOT NULL,
     restored_seq integer,
     restored bytea,
     status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPLIED', 'REFUSED')),
     requested_by uuid NOT NULL,
     requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     decided_by uuid,
     decided_at timestamptz,
     CHECK (status <> 'APPLIED' OR decided_by IS DISTINCT FROM requested_by),
     CHECK ((kind = 'RESTORE') = (restored IS NOT NULL))
   )`,
  `CREATE INDEX audit_repairs_subject ON audit_repairs (organisation_id, subject_type, subject_id)`,
  ...['audit_reincarnations', 'audit_repairs'].flatMap((table) => protect(table)),
  `GRANT SELECT, INSERT, UPDATE ON audit_reincarnations, audit_repairs TO vigia_app`,
];
