import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Packages for auditors. `audit_exports` holds who requested which package and why, its progress and its result.
 * `audit_export_pieces` holds the finished file: every API process can read it there, without a shared disk.
 * `audit_export_subjects` and `audit_export_leaves` hold the contents while the package is made.
 */
export class AuditExports1765000000003 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE audit_exports (
       id uuid NOT NULL,
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
       downloads integer NOT NULL DEFAULT 0,
       PRIMARY KEY (id, organisation_id)
     )`,
    `CREATE INDEX audit_exports_page ON audit_exports (organisation_id, id)`,
    `CREATE INDEX audit_exports_open ON audit_exports (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
    `CREATE INDEX audit_exports_expiry ON audit_exports (expires_at) WHERE status = 'READY'`,
    `CREATE TABLE audit_export_pieces (
       export_id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       fence integer NOT NULL,
       piece integer NOT NULL,
       bytes bytea NOT NULL,
       PRIMARY KEY (export_id, fence, piece, organisation_id),
       FOREIGN KEY (export_id, organisation_id) REFERENCES audit_exports
     )`,
    // The bytes are already compressed, and are read in ranges.
    `ALTER TABLE audit_export_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`,
    `CREATE TABLE audit_export_subjects (
       export_id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       PRIMARY KEY (export_id, subject_type, subject_id, organisation_id),
       FOREIGN KEY (export_id, organisation_id) REFERENCES audit_exports
     )`,
    `CREATE TABLE audit_export_leaves (
       export_id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       leaf_index bigint NOT NULL,
       PRIMARY KEY (export_id, leaf_index, organisation_id),
       FOREIGN KEY (export_id, organisation_id) REFERENCES audit_exports
     )`,
    ...protect('audit_exports', 'audit_export_pieces', 'audit_export_subjects', 'audit_export_leaves'),
    `GRANT SELECT, INSERT, UPDATE ON audit_exports TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON audit_export_pieces, audit_export_subjects, audit_export_leaves TO vigia_app`,
  ];
}
