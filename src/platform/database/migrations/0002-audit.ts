import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const ROOM = 45;

/**
 * The audit trail and its sealed log.
 *
 * - `audit_entries` holds one chain of entries per subject. `audit_pending` names entries without a leaf; a trigger
 *   fills it in the transaction of the entry, even if something other than the service wrote the entry.
 * - The sealed log is a Merkle tree per organisation. A sealer extends it after the commit, so that no request waits
 *   for it. `audit_leaves` holds the position of each entry; `audit_nodes` holds the roots of the perfect subtrees of
 *   256, 65,536 … leaves, so that a proof reads hundreds of hashes instead of millions. `audit_logs` holds the current
 *   size and root of each log, `audit_checkpoints` the signed earlier ones.
 * - `audit_anchors` lists the copies of checkpoints outside the database: the file of each host, and witnesses that
 *   submitted a signed checkpoint. It only says where to look; the proof is the file or the note of the witness.
 * - `audit_late_seals` records entries that had no leaf and were not in `audit_pending`, and for how long: somebody
 *   prevented their seal. `audit_await_late` puts such entries into `audit_pending` again.
 * - `audit_pruned` records permanently the trails whose entries were deleted, and the log entry (`audit_log.pruned`)
 *   that names their leaves. The leaf hashes stay, so every proof remains valid. The trigger allows the deletion of
 *   exactly the entries that the same transaction recorded here. Only `audit_prune` deletes entries. It refuses entries
 *   of the last five years, unsealed entries, and entries about the log itself or about settings in use.
 */
export class Audit1765000000002 extends SqlMigration {
  protected override readonly statements = [
    // The second entry of a transaction is written at its evaluation, next to the first entry in this index, which is
    // then no longer its end. A full page would be split and stay two fifths full, so each page leaves room for as many
    // entries again. recorded_at: the time in the hashed bytes; if the column differs, it was changed.
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
    // Finds recent entries. Entries are stored in the order of their time, so a BRIN index needs a few kilobytes per
    // million.
    `CREATE INDEX audit_entries_recorded ON audit_entries USING brin (recorded_at)
       WITH (pages_per_range = 8, autosummarize = on)`,
    // Entries that found rows changed outside the service. They are very rare, and every verdict looks for them.
    `CREATE INDEX audit_entries_altered ON audit_entries (organisation_id, subject_id)
       WHERE subject_type = 'state' AND action = 'state.altered'`,
    // Actions that are rare among all entries, for lists of operators. `log.queries.ts` has the same list of actions.
    `CREATE INDEX audit_entries_rare ON audit_entries (organisation_id, action, subject_id)
       WHERE action IN ('transaction.decided', 'transaction.dead_lettered', 'transaction.replayed', 'transaction.discarded',
         'transaction.conflict_refused', 'transaction.late_noted', 'state.altered', 'delivery.exhausted',
         'delivery.cancelled', 'delivery.retried', 'delivery.recovered')`,
    // One row holds the pending entries of one statement. With a row per entry, the insert, index entry and delete were
    // a tenth of the database's work at 1,000 transactions per second.
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
    // Leaves in the order of the log without transactions, deliveries, states and accesses: for lists of operators.
    `CREATE INDEX audit_leaves_other ON audit_leaves (organisation_id, leaf_index)
       WHERE subject_type NOT IN ('transaction', 'delivery', 'state', 'access')`,
    `CREATE INDEX audit_leaves_other_subject ON audit_leaves (organisation_id, subject_type, leaf_index)
       WHERE subject_type NOT IN ('transaction', 'delivery', 'state', 'access')`,
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
    // Finds the checkpoint at a time, which limits the leaves of a period.
    `CREATE INDEX audit_checkpoints_time ON audit_checkpoints (organisation_id, signed_at)`,
    `CREATE TABLE audit_anchors (
       organisation_id uuid NOT NULL,
       kind text NOT NULL CHECK (kind IN ('FILE', 'WITNESS')),
       name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
       incarnation integer NOT NULL,
       size bigint NOT NULL CHECK (size >= 0),
       root bytea NOT NULL CHECK (length(root) = 32),
       note text NOT NULL,
       seen_at timestamptz NOT NULL,
       PRIMARY KEY (organisation_id, kind, name)
     )`,
    `CREATE TABLE audit_late_seals (
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       subject_seq integer NOT NULL,
       waited_seconds integer NOT NULL CHECK (waited_seconds >= 0),
       found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (organisation_id, subject_type, subject_id, subject_seq)
     )`,
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
    ...['audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_pruned', 'audit_late_seals'].flatMap(
      (table) => appendOnly(table),
    ),
    // Runs as the owner, so that the service needs no right to insert here. Row-level security applies to the owner
    // too, and the entries have already passed it. Sixteen entries fit into a row without TOAST.
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
    // Checks both times of an entry: recorded_at is a column, occurredAt is part of the hashed bytes.
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
         WHERE NOT audit_is_prunable(s.type) OR e.recorded_at >= before OR l.hash IS DISTINCT FROM e.hash
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
    // Runs as the owner, because the service must not declare entries as pending. An entry with a time in the future
    // counts as late by the same difference.
    `CREATE FUNCTION audit_await_late(organisation uuid, types text[], ids text[], seqs integer[])
       RETURNS TABLE (subject_type text, subject_id text, subject_seq integer, waited_seconds integer)
       LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
     #variable_conflict use_column
     BEGIN
       RETURN QUERY WITH unsealed AS MATERIALIZED (
         SELECT e.* FROM unnest(types, ids, seqs) AS s (type, id, seq)
         JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
           AND e.subject_seq = s.seq
         WHERE NOT EXISTS (SELECT FROM audit_leaves l WHERE l.organisation_id = organisation AND l.subject_type = s.type
             AND l.subject_id = s.id AND l.subject_seq = s.seq)
           AND NOT EXISTS (SELECT FROM audit_pending p WHERE p.organisation_id = organisation AND e.hash = ANY (p.hashes))),
       awaited AS (
         INSERT INTO audit_pending (organisation_id, subject_types, subject_ids, subject_seqs, hashes)
         SELECT organisation, array_agg(u.subject_type ORDER BY n), array_agg(u.subject_id ORDER BY n),
                array_agg(u.subject_seq ORDER BY n), array_agg(u.hash ORDER BY n)
         FROM (SELECT unsealed.*, row_number() OVER (ORDER BY subject_type, subject_id, subject_seq) - 1 AS n
               FROM unsealed) u
         GROUP BY n / 16)
       SELECT u.subject_type, u.subject_id, u.subject_seq,
              least(abs(extract(epoch FROM clock_timestamp() - u.recorded_at)), 2147483647)::integer FROM unsealed u;
     END $$`,
    `REVOKE ALL ON FUNCTION audit_await_late(uuid, text[], text[], integer[]) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION audit_await_late(uuid, text[], text[], integer[]) TO vigia_app`,
    ...protect('audit_entries', 'audit_pending', 'audit_leaves', 'audit_nodes', 'audit_logs'),
    ...protect('audit_checkpoints', 'audit_pruned', 'audit_late_seals', 'audit_anchors'),
    `GRANT SELECT ON audit_pruned TO vigia_app`,
    `GRANT SELECT, DELETE ON audit_pending TO vigia_app`,
    `GRANT SELECT, INSERT ON audit_entries, audit_leaves, audit_nodes, audit_checkpoints, audit_late_seals TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON audit_logs, audit_anchors TO vigia_app`,
  ];
}
