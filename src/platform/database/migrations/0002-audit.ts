import { protect } from './protect.js';
import { appendOnly, audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const TABLES = [
  ...['audit_entries', 'audit_pending', 'audit_leaves', 'audit_nodes', 'audit_logs', 'audit_checkpoints'],
  ...['audit_reincarnations', 'audit_repairs', 'audit_pruned', 'audit_sweeps', 'audit_findings'],
  ...['audit_exports', 'audit_export_pieces', 'audit_export_subjects', 'audit_export_leaves'],
];

const ROOM = 45;

const PRUNABLE = `'transaction', 'discard', 'delivery', 'review', 'screening_hit', 'communication', 'dossier', 'backtest',
  'fx_import'`;

/**
 * The audit trail, its sealed log, and the packages for auditors.
 *
 * - `audit_entries` is one chain of entries for each subject. `audit_pending` names the entries that have no leaf yet; a
 *   trigger fills it in the commit of the entry, also for an entry that was written behind the service's back.
 * - The sealed log is a Merkle tree per organisation, made after the commit by a sealer, so that no request waits for it.
 *   `audit_leaves` gives each entry its place; `audit_nodes` keeps the roots of the perfect subtrees of 256, 65,536 …
 *   leaves, so that a proof reads hundreds of hashes and not millions. `audit_logs` is where each log stands now;
 *   `audit_checkpoints` keeps what was signed on the way.
 * - `audit_logs.rolled_back_at` stops sealing, decisions and exports of an organisation until two people declare the
 *   restored state the beginning of the next incarnation (`audit_reincarnations`). `audit_repairs` answers the gaps of one
 *   trail: entries stay as they are, a repair is beside them.
 * - `audit_exports` says who asked for which package and why, how far it is, and its result. The finished file lies in
 *   `audit_export_pieces`: every process that answers requests has it, and no disk has to be shared.
 *   `audit_export_subjects` and `audit_export_leaves` hold the contents of a package while it is made.
 * - `audit_sweeps` is how far the background check of all trails is; `audit_findings` is what it has found.
 * - `audit_pruned` says for ever of which trails entries are gone and which entry of the log (`audit_log.pruned`) names
 *   their leaves. The leaf hashes stay, so that every proof still holds. The trigger lets exactly those entries go that the
 *   same transaction has noted here. `audit_prune` is the only door, and it has its own idea of what may not go: nothing of
 *   the last five years, nothing that is not sealed, and nothing that tells of the log itself or of settings in use.
 */
export class Audit1764000000002 extends SqlMigration {
  override readonly name = 'Audit1764000000002';
  protected override readonly statements = [
    // A transaction gets its second entry when it is evaluated, next to the first one in this index and by then behind its end.
    // A page that was left nearly full is torn apart for it and stays two fifths full, so a page leaves room for as much again.
    `CREATE TABLE audit_entries (
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       subject_seq integer NOT NULL CHECK (subject_seq > 0),
       action text NOT NULL,
       canonical bytea NOT NULL,
       hash bytea GENERATED ALWAYS AS (sha256('\\x00'::bytea || canonical)) STORED,
       previous_hash bytea,
       recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (organisation_id, subject_type, subject_id, subject_seq) WITH (fillfactor = ${ROOM}),
       CONSTRAINT audit_entries_chain CHECK ((subject_seq = 1) = (previous_hash IS NULL))
     )`,
    // Entries of one statement wait in a few rows, not in a row each: a row costs its insert, its index entry and its delete,
    // and at a thousand transactions a second that was a tenth of the database's work.
    `CREATE TABLE audit_pending (
       position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       organisation_id uuid NOT NULL,
       subject_types text[] NOT NULL,
       subject_ids text[] NOT NULL,
       subject_seqs integer[] NOT NULL,
       hashes bytea[] NOT NULL,
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
         WITH (fillfactor = ${ROOM})
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
       kept_at timestamptz NOT NULL,
       rolled_back_at timestamptz,
       anchor_incarnation integer,
       anchor_size bigint,
       anchor_root bytea,
       pruned bigint NOT NULL DEFAULT 0 CHECK (pruned >= 0)
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
    // Finds the checkpoint of a moment, which bounds the leaves of a span of time.
    `CREATE INDEX audit_checkpoints_time ON audit_checkpoints (organisation_id, signed_at)`,
    `CREATE TABLE audit_reincarnations (
       id uuid NOT NULL,
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
       PRIMARY KEY (id, organisation_id),
       CHECK (approved_by IS DISTINCT FROM requested_by)
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
       CHECK (status <> 'APPLIED' OR decided_by IS DISTINCT FROM requested_by),
       CHECK ((kind = 'RESTORE') = (restored IS NOT NULL))
     )`,
    `CREATE INDEX audit_repairs_subject ON audit_repairs (organisation_id, subject_type, subject_id)`,
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
    // The bytes are compressed already, and read in parts.
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
    `CREATE TABLE audit_pruned (
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       through_seq integer NOT NULL CHECK (through_seq > 0),
       named_by integer NOT NULL,
       pruned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (organisation_id, subject_type, subject_id, through_seq)
     )`,
    `CREATE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'DELETE' AND EXISTS (
         SELECT FROM audit_pruned p
         WHERE p.organisation_id = OLD.organisation_id AND p.subject_type = OLD.subject_type
           AND p.subject_id = OLD.subject_id AND p.through_seq >= OLD.subject_seq
           AND p.xmin = pg_current_xact_id()::xid) THEN
         RETURN OLD;
       END IF;
       RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
         USING ERRCODE = 'restrict_violation';
     END $$`,
    ...appendOnly('audit_entries', 'append_only', 'refuse_change_of_entry'),
    ...['audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_pruned'].flatMap((table) =>
      appendOnly(table),
    ),
    // As the owner, so that the application needs no right to insert here. Row-level security binds the owner too, and
    // the entries themselves have passed it already. Sixteen entries fit into a row without TOAST.
    `CREATE FUNCTION audit_await_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
       SET search_path = public, pg_temp AS $$
     BEGIN
       INSERT INTO audit_pending (organisation_id, subject_types, subject_ids, subject_seqs, hashes)
       SELECT organisation_id, array_agg(subject_type ORDER BY n), array_agg(subject_id ORDER BY n),
              array_agg(subject_seq ORDER BY n), array_agg(hash ORDER BY n)
       FROM (SELECT a.*, row_number() OVER (PARTITION BY a.organisation_id
                           ORDER BY a.subject_type, a.subject_id, a.subject_seq) - 1 AS n
             FROM (SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM added) a) numbered
       GROUP BY organisation_id, n / 16 ORDER BY organisation_id, n / 16;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER audit_entries_await_seal AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS added
       FOR EACH STATEMENT EXECUTE FUNCTION audit_await_seal()`,
    `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_await_seal`,
    // When an entry was recorded stands beside the hashed bytes; when it happened stands in them.
    `CREATE FUNCTION audit_prune(organisation uuid, types text[], ids text[], before timestamptz, entry integer)
       RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
     DECLARE gone bigint;
     BEGIN
       IF before > now() - interval '5 years' OR NOT EXISTS (
         SELECT FROM audit_entries
         WHERE organisation_id = organisation AND subject_type = 'audit_log' AND subject_id = organisation::text
           AND subject_seq = entry AND action = 'audit_log.pruned' AND xmin = pg_current_xact_id()::xid) OR EXISTS (
         SELECT FROM unnest(types, ids) AS s (type, id)
         JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
         LEFT JOIN audit_leaves l ON l.organisation_id = organisation AND l.subject_type = s.type
           AND l.subject_id = s.id AND l.subject_seq = e.subject_seq
         WHERE s.type NOT IN (${PRUNABLE}) OR e.recorded_at >= before OR l.hash IS DISTINCT FROM e.hash
           OR (convert_from(e.canonical, 'UTF8')::json ->> 'occurredAt')::timestamptz >= before) THEN
         RAISE EXCEPTION 'these entries of the audit log have to be kept' USING ERRCODE = 'restrict_violation';
       END IF;
       INSERT INTO audit_pruned (organisation_id, subject_type, subject_id, through_seq, named_by)
       SELECT organisation, s.type, s.id, max(e.subject_seq), entry
       FROM unnest(types, ids) AS s (type, id)
       JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
       GROUP BY s.type, s.id;
       DELETE FROM audit_entries e USING unnest(types, ids) AS s (type, id)
       WHERE e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id;
       GET DIAGNOSTICS gone = ROW_COUNT;
       UPDATE audit_logs SET pruned = pruned + gone WHERE organisation_id = organisation;
       RETURN gone;
     END $$`,
    `REVOKE ALL ON FUNCTION audit_prune(uuid, text[], text[], timestamptz, integer) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION audit_prune(uuid, text[], text[], timestamptz, integer) TO vigia_app`,
    // An entry carries the number of the transaction that wrote it (xmin). The plan always uses the index, whatever was known
    // of the table when it was made: that is once for each connection, and the table may be empty then.
    ...['id', 'transaction_ref', 'session_id'].map(
      (id) => `CREATE FUNCTION require_audit_entry_by_${id}() RETURNS trigger LANGUAGE plpgsql
         SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
       BEGIN
         IF NOT EXISTS (SELECT FROM audit_entries
           WHERE organisation_id = NEW.organisation_id AND subject_type = TG_ARGV[0] AND subject_id = NEW.${id}::text
             AND xmin = pg_current_xact_id()::xid) THEN
           RAISE EXCEPTION 'a change of % without an audit entry', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NULL;
       END $$`,
    ),
    ...audited('audit_exports', { subject: 'audit_export' }),
    ...TABLES.flatMap((table) => protect(table)),
    `GRANT SELECT ON audit_pruned TO vigia_app`,
    `GRANT SELECT, DELETE ON audit_pending TO vigia_app`,
    `GRANT SELECT, INSERT ON audit_entries, audit_leaves, audit_nodes, audit_checkpoints TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON audit_logs, audit_reincarnations, audit_repairs, audit_exports, audit_sweeps, audit_findings TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON audit_export_pieces, audit_export_subjects, audit_export_leaves TO vigia_app`,
  ];
}
