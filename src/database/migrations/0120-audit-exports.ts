import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Packages for auditors that the service makes in the background, and what it has found about trails.
 *
 * - `audit_exports` says who asked for what and why, how far it is, and what came of it. The finished file lies in
 *   `audit_export_pieces`: every process that answers requests has it, and no disk has to be shared.
 * - `audit_export_subjects` and `audit_export_leaves` hold what a package about a customer, a case or one subject is made
 *   of while it is made.
 * - `audit_sweeps` is how far the background look at all trails of a log is; `audit_findings` what it has found.
 */
export class AuditExports1763600000120 implements MigrationInterface {
  name = 'AuditExports1763600000120';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Who took what out of the log is part of the audit trail; it is not undone.');
  }
}

const tables = [
  'audit_exports',
  'audit_export_pieces',
  'audit_export_subjects',
  'audit_export_leaves',
  'audit_sweeps',
  'audit_findings',
];

const statements = [
  `CREATE TABLE audit_exports (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     filter jsonb NOT NULL,
     reason text NOT NULL CHECK (length(reason) BETWEEN 10 AND 2000),
     audit_ready boolean NOT NULL,
     language text NOT NULL CHECK (language IN ('pt-BR', 'en')),
     status text NOT NULL DEFAULT 'QUEUED'
       CHECK (status IN ('QUEUED', 'RUNNING', 'READY', 'BLOCKED', 'FAILED', 'EXPIRED')),
     trail_hash bytea NOT NULL,
     attempts integer NOT NULL DEFAULT 0,
     fence integer NOT NULL DEFAULT 0,
     lease_until timestamptz NOT NULL DEFAULT now() + interval '15 seconds',
     done bigint NOT NULL DEFAULT 0,
     total bigint,
     result jsonb,
     gaps jsonb,
     failure_code text,
     requested_by text NOT NULL,
     requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     started_at timestamptz,
     finished_at timestamptz,
     expires_at timestamptz,
     downloads integer NOT NULL DEFAULT 0
   )`,
  `CREATE INDEX audit_exports_page ON audit_exports (organisation_id, id)`,
  `CREATE INDEX audit_exports_open ON audit_exports (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
  `CREATE INDEX audit_exports_expiry ON audit_exports (expires_at) WHERE status = 'READY'`,
  `CREATE TABLE audit_export_pieces (
     export_id uuid NOT NULL REFERENCES audit_exports (id),
     organisation_id uuid NOT NULL,
     fence integer NOT NULL,
     piece integer NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (export_id, fence, piece)
   )`,
  // They are compressed already, and read in parts.
  `ALTER TABLE audit_export_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`,
  `CREATE TABLE audit_export_subjects (
     export_id uuid NOT NULL REFERENCES audit_exports (id),
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     PRIMARY KEY (export_id, subject_type, subject_id)
   )`,
  `CREATE TABLE audit_export_leaves (
     export_id uuid NOT NULL REFERENCES audit_exports (id),
     organisation_id uuid NOT NULL,
     leaf_index bigint NOT NULL,
     PRIMARY KEY (export_id, leaf_index)
   )`,
  `CREATE TABLE audit_sweeps (
     organisation_id uuid PRIMARY KEY,
     position bigint NOT NULL DEFAULT -1,
     cycle bigint NOT NULL DEFAULT 1,
     subjects bigint NOT NULL DEFAULT 0,
     lease_until timestamptz NOT NULL DEFAULT 'epoch',
     due_at timestamptz NOT NULL DEFAULT now(),
     cycle_finished_at timestamptz
   )`,
  `CREATE INDEX audit_sweeps_due ON audit_sweeps (due_at)`,
  `CREATE TABLE audit_findings (
     id uuid NOT NULL UNIQUE,
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     status text NOT NULL,
     gaps jsonb NOT NULL,
     found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     cleared_at timestamptz,
     PRIMARY KEY (organisation_id, subject_type, subject_id)
   )`,
  `CREATE INDEX audit_findings_open ON audit_findings (organisation_id, id) WHERE cleared_at IS NULL`,
  ...tables.flatMap((table) => protect(table)),
  `GRANT SELECT, INSERT, UPDATE ON audit_exports, audit_sweeps, audit_findings TO vigia_app`,
  `GRANT SELECT, INSERT, DELETE ON audit_export_pieces, audit_export_subjects, audit_export_leaves TO vigia_app`,
];
