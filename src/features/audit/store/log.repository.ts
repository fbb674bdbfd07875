import { Injectable } from '@nestjs/common';
import {
  columns,
  composite,
  execute,
  nullable,
  prepared,
  sqlArray,
  unnested,
  statement,
  tryLock,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { EMPTY_FRONTIER, type Frontier, type TreeNode } from '../domain/merkle.js';
import { AuditLogEntity, AuditPendingEntity } from './entities.js';

/** The state from which the sealer continues a log. */
export interface LogState {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly frontier: Frontier;
  /** Time at which a checkpoint was last stored for the history. */
  readonly keptAt: Date | null;
  /** The last signed note; empty if the log was never signed, or was not signed since its restart. */
  readonly note: string;
  readonly root: Buffer | null;
}

/** The newest signed state of a log, without its frontier. */
export interface LogHead extends Readonly<
  Pick<AuditLogEntity, 'organisationId' | 'incarnation' | 'note' | 'root'>
> {
  readonly size: number;
  readonly rolledBack: boolean;
}

/** The new signed state of a log. */
export interface SealedLog extends Readonly<
  Pick<AuditLogEntity, 'organisationId' | 'incarnation' | 'root' | 'note' | 'signedAt' | 'keptAt'>
> {
  readonly frontier: Frontier;
}

/** The nodes and states of logs that a run of the sealer stores, in addition to the leaves. */
export interface LogGrowth {
  readonly nodes: readonly (TreeNode & { readonly organisationId: string })[];
  readonly logs: readonly SealedLog[];
}

/** The entries that one run of the sealer turned into leaves. */
export interface LeafAssignment {
  /** Hashes of the new leaves, by organisation, in the order of their indices. */
  readonly hashes: ReadonlyMap<string, readonly Buffer[]>;
  /** True if more entries may wait. */
  readonly isFull: boolean;
}

// Advisory lock key (arbitrary): one sealer at a time over all processes. Ends with the transaction, even by a crash.
const SEAL_LOCK = 7_418_290_114;

// A log that was rolled back is not sealed: new leaves would contradict published checkpoints.
const NOT_ROLLED_BACK = `organisation_id NOT IN (SELECT organisation_id FROM audit_logs WHERE rolled_back_at IS NOT NULL)`;
const STATE = columns(
  AuditLogEntity,
  'organisationId',
  'incarnation',
  'size',
  'frontier',
  'keptAt',
  'note',
  'root',
);
// The logs of the oldest pending rows, locked until the transaction ends. Uses the index and not a scan of the table:
// between two vacuums the table is a thousand times as large as its live rows.
const FIND_LOGS_WITH_PENDING = prepared(
  'audit-waiting',
  `SELECT p.organisation_id, l.incarnation, l.size, l.frontier, l.kept_at, l.note, l.root
  FROM (SELECT DISTINCT organisation_id FROM (
          SELECT organisation_id FROM audit_pending WHERE ${NOT_ROLLED_BACK} ORDER BY position LIMIT $1) oldest) p
  LEFT JOIN LATERAL (SELECT * FROM audit_logs a WHERE a.organisation_id = p.organisation_id FOR UPDATE) l ON true`,
  {
    ...columns(AuditPendingEntity, 'organisationId'),
    incarnation: nullable(STATE.incarnation),
    size: nullable(STATE.size),
    frontier: nullable(STATE.frontier),
    kept_at: nullable(STATE.kept_at),
    note: nullable(STATE.note),
    root: nullable(STATE.root),
  },
);

// Deletes up to a position instead of joining the positions, which would be a quadratic nested loop. SEAL_LOCK keeps
// others from taking entries, so these are exactly the oldest rows of this snapshot. The same statement inserts the
// leaves, which saves sending the rows to the service and back.
const TAKE = prepared(
  'audit-take',
  `WITH gone AS (
    DELETE FROM audit_pending p
    WHERE p.organisation_id = ANY ($1::uuid[]) AND p.position <= (SELECT max(position) FROM (
      SELECT position FROM audit_pending WHERE organisation_id = ANY ($1::uuid[]) ORDER BY position LIMIT $2) d)
    RETURNING p.*),
  placed AS MATERIALIZED (
    SELECT g.organisation_id, e.*, coalesce(l.size, 0) - 1
             + row_number() OVER (PARTITION BY g.organisation_id ORDER BY g.position, e.n) AS leaf_index
    FROM gone g LEFT JOIN audit_logs l USING (organisation_id)
    CROSS JOIN LATERAL unnest(g.subject_types, g.subject_ids, g.subject_seqs, g.hashes)
      WITH ORDINALITY AS e (subject_type, subject_id, subject_seq, hash, n)),
  leaves AS (
    INSERT INTO audit_leaves (organisation_id, leaf_index, subject_type, subject_id, subject_seq, hash)
    SELECT organisation_id, leaf_index, subject_type, subject_id, subject_seq, hash FROM placed)
  SELECT organisation_id, string_agg(hash, ''::bytea ORDER BY leaf_index) AS hashes,
         (SELECT count(*) FROM gone)::int AS taken
  FROM placed GROUP BY organisation_id`,
  { ...columns(AuditPendingEntity, 'organisationId'), hashes: 'bytea', taken: 'integer' },
);

const FIND_IDLE_LOGS = statement(
  'audit.idle-logs',
  `SELECT organisation_id, incarnation, size, frontier, kept_at, note, root FROM audit_logs
  WHERE signed_at < now() - make_interval(secs => $1) AND rolled_back_at IS NULL ORDER BY signed_at LIMIT 500 FOR UPDATE`,
  STATE,
);

const NODES = unnested<LogGrowth['nodes'][number]>(
  { uuid: ['organisationId'], smallint: ['level'] },
  { bigint: { nodeIndex: 'index' }, bytea: ['hash'] },
);
const ADD_NODES = `INSERT INTO audit_nodes (${NODES.columns}) SELECT * FROM ${NODES.from()}`;

// The roots of a frontier are passed as one hexadecimal text per log, because unnest would flatten an array of arrays.
const LOGS = unnested<SealedLog>(
  { uuid: ['organisationId'], int: ['incarnation'], bigint: ['frontier.size'] },
  { text: { frontier: ({ frontier }) => frontier.roots.map((root) => root.toString('hex')).join(',') } },
  { bytea: ['root'], text: ['note'], timestamptz: ['signedAt', 'keptAt'] },
);
const SAVE = `INSERT INTO audit_logs (${LOGS.columns})
  SELECT organisation_id, incarnation, size,
         ARRAY(SELECT decode(part, 'hex') FROM unnest(string_to_array(frontier, ',')) WITH ORDINALITY AS r (part, n) ORDER BY n),
         root, note, signed_at, kept_at
  FROM ${LOGS.from()}
  ON CONFLICT (organisation_id) DO UPDATE SET incarnation = excluded.incarnation, size = excluded.size,
    frontier = excluded.frontier, root = excluded.root, note = excluded.note, signed_at = excluded.signed_at,
    kept_at = excluded.kept_at`;

const CHECKPOINTS = unnested<SealedLog>(
  { uuid: ['organisationId'], int: ['incarnation'], bigint: ['frontier.size'] },
  { timestamptz: ['signedAt'], bytea: ['root'], text: ['note'] },
);
const KEEP = `INSERT INTO audit_checkpoints (${CHECKPOINTS.columns}) SELECT * FROM ${CHECKPOINTS.from()}`;

const HOLD_SEALING = statement(
  'audit.hold-sealing',
  `SELECT pg_advisory_xact_lock(${SEAL_LOCK})::text AS held`,
  {
    held: 'text',
  },
);

// Does not use EXISTS, which would scan the table from its start, where the dead rows are.
const HAS_PENDING = statement(
  'audit.any-pending',
  `SELECT (SELECT position FROM audit_pending WHERE ${NOT_ROLLED_BACK} ORDER BY position LIMIT 1) IS NOT NULL AS pending`,
  { pending: 'boolean' },
);

const STOP = statement(
  'audit.stop-log',
  `INSERT INTO audit_logs AS l (organisation_id, incarnation, size, frontier, root, note, signed_at, kept_at,
     rolled_back_at, anchor_incarnation, anchor_size, anchor_root)
   VALUES ($1, $2, 0, '{}', $5, '', now(), now(), now(), $2, $3, $4)
   ON CONFLICT (organisation_id) DO UPDATE SET rolled_back_at = now(),
     anchor_incarnation = excluded.anchor_incarnation, anchor_size = excluded.anchor_size,
     anchor_root = excluded.anchor_root
   WHERE l.rolled_back_at IS NULL RETURNING incarnation`,
  columns(AuditLogEntity, 'incarnation'),
);

/** Reads and writes logs for the sealer, which does everything in one transaction. */
@Injectable()
export class LogRepository {
  /** Takes the seal lock until the transaction ends; false if another sealer has it. */
  async tryLockSealing(tx: Tx): Promise<boolean> {
    return tryLock(tx, SEAL_LOCK);
  }

  /** Waits for the seal lock, and holds it until the transaction ends. */
  async lockSealing(tx: Tx): Promise<void> {
    await execute(tx, HOLD_SEALING, []);
  }

  async isAnyPending(reader: Reader): Promise<boolean> {
    const rows = await execute(reader, HAS_PENDING, []);
    return rows[0]?.pending === true;
  }

  async readHeads(reader: Reader): Promise<LogHead[]> {
    const logs = await reader.find(AuditLogEntity, {
      select: {
        organisationId: true,
        incarnation: true,
        size: true,
        root: true,
        note: true,
        rolledBackAt: true,
      },
    });
    return logs.map(({ size, rolledBackAt, ...log }) => ({
      ...log,
      size: Number(size),
      rolledBack: rolledBackAt !== null,
    }));
  }

  /** Stops a log that contradicts its anchor; false if it is stopped already. */
  async stopLog(
    tx: Tx,
    anchor: { organisationId: string; incarnation: number; size: number; root: Buffer },
    emptyRoot: Buffer,
  ): Promise<boolean> {
    const { organisationId, incarnation, size, root } = anchor;
    const rows = await execute(tx, STOP, [organisationId, incarnation, size, root, emptyRoot]);
    return rows.length > 0;
  }

  /**
   * Returns the logs of the oldest pending entries. A separate statement after the lock, so that its snapshot
   * includes what the previous holder of the lock committed.
   * @param rows pending rows to read, of up to 16 entries each; the same number as for `assignLeaves`
   */
  async readLogsWithPending(tx: Tx, rows: number): Promise<LogState[]> {
    const logs = await execute(tx, FIND_LOGS_WITH_PENDING, [rows]);
    return logs.map((row) => (isStored(row) ? toState(row) : newLog(row.organisation_id)));
  }

  /**
   * Makes the oldest pending entries leaves of these logs, in the order in which they were written.
   * @param rows pending rows to take, of up to 16 entries each
   */
  async assignLeaves(tx: Tx, organisationIds: readonly string[], rows: number): Promise<LeafAssignment> {
    const pendingRows = await execute(tx, TAKE, [sqlArray.plain(organisationIds), rows]);
    return {
      hashes: new Map(pendingRows.map((row) => [row.organisation_id, splitHashes(row.hashes)])),
      isFull: pendingRows[0]?.taken === rows,
    };
  }

  /** Returns logs whose newest checkpoint is older than `seconds`. */
  async findIdle(tx: Tx, seconds: number): Promise<LogState[]> {
    return (await execute(tx, FIND_IDLE_LOGS, [seconds])).map(toState);
  }

  /** Writes in one statement, because each round trip delays the seal of all entries. */
  async write(tx: Tx, { nodes, logs }: LogGrowth): Promise<void> {
    const keptLogs = logs.filter(({ keptAt, signedAt }) => keptAt.getTime() === signedAt.getTime());
    await execute(
      tx,
      ...SEAL({ nodes: nodes.length > 0 ? nodes : null, logs, kept: keptLogs.length > 0 ? keptLogs : null }),
    );
  }
}

/** The values of the statement; null leaves out the clause that stores nodes, or checkpoints for the history. */
interface Seal {
  readonly nodes: LogGrowth['nodes'] | null;
  readonly logs: LogGrowth['logs'];
  readonly kept: LogGrowth['logs'] | null;
}

const SEAL = composite('audit-seal', {
  clauses: ({ nodes, logs, kept }: Seal) => [
    ...(nodes ? [{ name: 'nodes', text: ADD_NODES, values: NODES.arrays(nodes) }] : []),
    { name: 'logs', text: SAVE, values: LOGS.arrays(logs) },
    ...(kept ? [{ name: 'kept', text: KEEP, values: CHECKPOINTS.arrays(kept) }] : []),
  ],
  every: { nodes: [null, []], logs: [[]], kept: [null, []] },
  result: 'SELECT 1 AS sealed',
  shape: { sealed: 'integer' },
  prepared: true,
});

/** False if the log was never signed: then the outer join found no state. */
const isStored = (row: Rows<typeof FIND_LOGS_WITH_PENDING>): row is Rows<typeof FIND_IDLE_LOGS> =>
  row.incarnation !== null;

const toState = (row: Rows<typeof FIND_IDLE_LOGS>): LogState => ({
  organisationId: row.organisation_id,
  incarnation: row.incarnation,
  frontier: { size: Number(row.size), roots: row.frontier },
  keptAt: row.kept_at,
  note: row.note,
  root: row.root,
});

const HASH_BYTES = 32;

const splitHashes = (hashes: Buffer): Buffer[] =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, i) =>
    hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );

const newLog = (organisationId: string): LogState => ({
  organisationId,
  incarnation: 1,
  frontier: EMPTY_FRONTIER,
  keptAt: null,
  note: '',
  root: null,
});
