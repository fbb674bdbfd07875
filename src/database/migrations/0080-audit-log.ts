import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * The sealed log: a Merkle tree per organisation over its audit entries, made after the commit by a sealer, so that no
 * request waits for it.
 *
 * - `audit_pending` names the entries that have no leaf yet. A trigger fills it in the commit of the entry, also for
 *   an entry that was written behind the service's back.
 * - `audit_leaves` gives each entry its place; `audit_nodes` keeps the roots of the perfect subtrees of 256, 65,536 …
 *   leaves, so that a proof reads hundreds of hashes and not millions.
 * - `audit_logs` is where each log stands now; `audit_checkpoints` what was signed on the way.
 */
export class AuditLog1763600000080 implements MigrationInterface {
  name = 'AuditLog1763600000080';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The sealed log is what auditors hold proofs of; it is not undone. Restore a backup.');
  }
}

const appendOnly = (table: string): string[] => [
  `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table}
     FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_append_only`,
  `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
];

const statements = [
  `CREATE TABLE audit_pending (
     position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     subject_seq integer NOT NULL,
     hash bytea NOT NULL,
     added_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE TABLE audit_leaves (
     organisation_id uuid NOT NULL,
     leaf_index bigint NOT NULL CHECK (leaf_index >= 0),
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     subject_seq integer NOT NULL,
     hash bytea NOT NULL CHECK (length(hash) = 32),
     PRIMARY KEY (organisation_id, leaf_index),
     CONSTRAINT audit_leaves_entry UNIQUE (organisation_id, subject_type, subject_id, subject_seq)
   )`,
  `CREATE TABLE audit_nodes (
     organisation_id uuid NOT NULL,
     level smallint NOT NULL CHECK (level > 0 AND level % 8 = 0),
     node_index bigint NOT NULL CHECK (node_index >= 0),
     hash bytea NOT NULL CHECK (length(hash) = 32),
     PRIMARY KEY (organisation_id, level, node_index)
   )`,
  `CREATE TABLE audit_logs (
     organisation_id uuid PRIMARY KEY,
     incarnation integer NOT NULL DEFAULT 1 CHECK (incarnation > 0),
     size bigint NOT NULL CHECK (size >= 0),
     frontier bytea[] NOT NULL,
     root bytea NOT NULL CHECK (length(root) = 32),
     note text NOT NULL,
     signed_at timestamptz NOT NULL,
     kept_at timestamptz NOT NULL
   )`,
  `CREATE INDEX audit_logs_signed ON audit_logs (signed_at)`,
  `CREATE TABLE audit_checkpoints (
     organisation_id uuid NOT NULL,
     incarnation integer NOT NULL,
     size bigint NOT NULL,
     signed_at timestamptz NOT NULL,
     root bytea NOT NULL,
     note text NOT NULL,
     PRIMARY KEY (organisation_id, incarnation, size, signed_at)
   )`,
  ...['audit_leaves', 'audit_nodes', 'audit_checkpoints'].flatMap(appendOnly),
  ...['audit_pending', 'audit_leaves', 'audit_nodes', 'audit_logs', 'audit_checkpoints'].flatMap((table) =>
    protect(table),
  ),
  `GRANT SELECT, DELETE ON audit_pending TO vigia_app`,
  `GRANT SELECT, INSERT ON audit_leaves, audit_nodes, audit_checkpoints TO vigia_app`,
  `GRANT SELECT, INSERT, UPDATE ON audit_logs TO vigia_app`,

  // As the owner, so that the application needs no right to insert here. Row-level security binds the owner too, and
  // the entries themselves have passed it already.
  `CREATE FUNCTION audit_await_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
     SET search_path = public, pg_temp AS $$
   BEGIN
     INSERT INTO audit_pending (organisation_id, subject_type, subject_id, subject_seq, hash)
     SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM added
     ORDER BY organisation_id, subject_type, subject_id, subject_seq;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER audit_entries_await_seal AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION audit_await_seal()`,
  `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_await_seal`,
  `INSERT INTO audit_pending (organisation_id, subject_type, subject_id, subject_seq, hash)
     SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM audit_entries
     ORDER BY recorded_at, organisation_id, subject_type, subject_id, subject_seq`,
];
