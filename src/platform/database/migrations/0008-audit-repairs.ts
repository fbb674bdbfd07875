import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Restarts of logs after a restored backup, repairs of trails, and the background check that finds the need for them.
 *
 * - While `audit_logs.rolled_back_at` is set, sealing, decisions and exports of the organisation stop, until two people
 *   declare the restored state the start of the next incarnation (`audit_reincarnations`). `audit_repairs` explains the
 *   gaps of one trail without changing its entries. Both need an approved request; under single control one person is
 *   both. The content of a request never changes.
 * - `audit_sweeps`: the progress of the background check of all trails. `audit_findings`: its findings.
 */
export class AuditRepairs1765000000008 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE audit_reincarnations (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       incarnation integer NOT NULL,
       restored_size bigint NOT NULL,
       anchor_incarnation integer NOT NULL,
       anchor_size bigint NOT NULL,
       anchor_root bytea NOT NULL,
       reason text NOT NULL CHECK (length(reason) BETWEEN 20 AND 2000),
       status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPROVED', 'REFUSED')),
       requested_by uuid NOT NULL,
       requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       approved_by uuid,
       approved_at timestamptz,
       PRIMARY KEY (id, organisation_id)
     )`,
    `CREATE UNIQUE INDEX audit_reincarnations_open ON audit_reincarnations (organisation_id) WHERE status = 'REQUESTED'`,
    `CREATE TABLE audit_repairs (
       id uuid NOT NULL,
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
       PRIMARY KEY (id, organisation_id),
       CHECK ((kind = 'RESTORE') = (restored IS NOT NULL))
     )`,
    `CREATE INDEX audit_repairs_subject ON audit_repairs (organisation_id, subject_type, subject_id)`,
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
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       status text NOT NULL,
       gaps jsonb NOT NULL,
       found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       cleared_at timestamptz,
       PRIMARY KEY (organisation_id, subject_type, subject_id),
       UNIQUE (id, organisation_id)
     )`,
    `CREATE INDEX audit_findings_open ON audit_findings (organisation_id, id) WHERE cleared_at IS NULL`,
    ...protect('audit_reincarnations', 'audit_repairs', 'audit_sweeps', 'audit_findings'),
    `GRANT SELECT, INSERT ON audit_reincarnations, audit_repairs TO vigia_app`,
    `GRANT UPDATE (status, approved_by, approved_at) ON audit_reincarnations TO vigia_app`,
    `GRANT UPDATE (status, decided_by, decided_at) ON audit_repairs TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON audit_sweeps, audit_findings TO vigia_app`,
  ];
}
