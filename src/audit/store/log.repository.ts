import { Injectable } from '@nestjs/common';
import { composite, execute, sqlArray, type Reader, type Tx } from '../../database/index.js';
import { EMPTY_FRONTIER, type Frontier, type TreeNode } from '../domain/merkle.js';

/** Where the log of an organisation stands. */
export interface LogState {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly frontier: Frontier;
  /** When a checkpoint was last kept for the history. */
  readonly keptAt: Date | null;
  /** What was signed of it last; empty when it is to be signed anew, or was never. */
  readonly note: string;
  readonly root: Buffer | null;
}

/** A log as it is seen from outside. */
export interface LogHead {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly size: number;
  readonly note: string;
  readonly rolledBack: boolean;
}

/** A log as it is to be stored. */
export interface SealedLog {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly frontier: Frontier;
  readonly root: Buffer;
  readonly note: string;
  readonly signedAt: Date;
  /** When a checkpoint was last kept for the history: with `signedAt`, this one is. */
  readonly keptAt: Date;
}

/** What one round of the sealer adds to the leaves that it took. */
export interface Growth {
  readonly nodes: readonly (TreeNode & { readonly organisationId: string })[];
  readonly logs: readonly SealedLog[];
}

/** What is taken at once. */
export interface Taken {
  /** Hashes of the entries, by organisation, in the order of the leaves that they have now. */
  readonly hashes: ReadonlyMap<string, readonly Buffer[]>;
  /** More waits. */
  readonly isFull: boolean;
}

interface TakenRow {
  readonly organisation_id: string;
  readonly hashes: Buffer;
  readonly taken: number;
}

type WaitingRow = { readonly organisation_id: string } & (
  LogRow | Readonly<Record<Exclude<keyof LogRow, 'organisation_id'>, null>>
);

interface LogRow {
  readonly organisation_id: string;
  readonly incarnation: number;
  readonly size: string;
  readonly frontier: Buffer[];
  readonly kept_at: Date;
  readonly note: string;
  readonly root: Buffer;
}

// Any constant: one sealer at a time over all processes. Held until the commit, so that a sealer that dies lets go.
const SEAL_LOCK = 7_418_290_114;

// Of a log that was put back nothing is taken: what would be sealed on it contradicts what was handed out.
const GOES_ON = `organisation_id NOT IN (SELECT organisation_id FROM audit_logs WHERE rolled_back_at IS NOT NULL)`;
// Where the logs stand of the oldest rows that wait; nobody changes them until the end of the transaction. By the order of
// the index, not by looking at the table: between two vacuums it is a thousand times as large as what waits in it.
const WAITING = `SELECT p.organisation_id, l.incarnation, l.size, l.frontier, l.kept_at, l.note, l.root
  FROM (SELECT DISTINCT organisation_id FROM (
          SELECT organisation_id FROM audit_pending WHERE ${GOES_ON} ORDER BY position LIMIT $1) oldest) p
  LEFT JOIN LATERAL (SELECT * FROM audit_logs a WHERE a.organisation_id = p.organisation_id FOR UPDATE) l ON true`;

// Up to a position, not joined to the positions: a nested loop over both would be quadratic. The lock lets nobody else
// take entries meanwhile, so that these are exactly the oldest of this snapshot. The leaves are made of them where they
// are: they would only travel to the service and back.
const TAKE = `WITH gone AS (
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
  FROM placed GROUP BY organisation_id`;

const IDLE = `SELECT organisation_id, incarnation, size, frontier, kept_at, note, root FROM audit_logs
  WHERE signed_at < now() - make_interval(secs => $1) AND rolled_back_at IS NULL ORDER BY signed_at LIMIT 500 FOR UPDATE`;

const ADD_NODES = `INSERT INTO audit_nodes (organisation_id, level, node_index, hash)
  SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bytea[])`;

// The roots of a frontier come as hexadecimal: an array of arrays has no rows of its own.
const SAVE = `INSERT INTO audit_logs (organisation_id, incarnation, size, frontier, root, note, signed_at, kept_at)
  SELECT organisation_id, incarnation, size,
         ARRAY(SELECT decode(part, 'hex') FROM unnest(string_to_array(roots, ',')) WITH ORDINALITY AS r (part, n) ORDER BY n),
         root, note, signed_at, kept_at
  FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::text[], $5::bytea[], $6::text[], $7::timestamptz[],
              $8::timestamptz[]) AS l (organisation_id, incarnation, size, roots, root, note, signed_at, kept_at)
  ON CONFLICT (organisation_id) DO UPDATE SET incarnation = excluded.incarnation, size = excluded.size,
    frontier = excluded.frontier, root = excluded.root, note = excluded.note, signed_at = excluded.signed_at,
    kept_at = excluded.kept_at`;

const KEEP = `INSERT INTO audit_checkpoints (organisation_id, incarnation, size, signed_at, root, note)
  SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::timestamptz[], $5::bytea[], $6::text[])`;

/** What the sealer writes, all of it in one transaction. */
@Injectable()
export class LogRepository {
  /** True when nobody else seals until this transaction ends. */
  async elect(tx: Tx): Promise<boolean> {
    const rows = await execute<{ elected: boolean }>(
      tx,
      { text: `SELECT pg_try_advisory_xact_lock(${SEAL_LOCK}) AS elected` },
      [],
    );
    return rows[0]?.elected === true;
  }

  /** Waits until nobody seals, and lets nobody seal until this transaction ends. */
  async holdSealing(tx: Tx): Promise<void> {
    await execute(tx, { text: `SELECT pg_advisory_xact_lock(${SEAL_LOCK})` }, []);
  }

  async isAnyPending(reader: Reader): Promise<boolean> {
    const rows: { pending: boolean }[] = await reader.query(
      // Not EXISTS, which would look through the table from its beginning, where the dead rows are.
      `SELECT (SELECT position FROM audit_pending WHERE ${GOES_ON} ORDER BY position LIMIT 1) IS NOT NULL AS pending`,
    );
    return rows[0]?.pending === true;
  }

  async heads(reader: Reader): Promise<LogHead[]> {
    const rows: (Omit<LogHead, 'size'> & { size: string })[] = await reader.query(
      `SELECT organisation_id AS "organisationId", incarnation, size, note, rolled_back_at IS NOT NULL AS "rolledBack"
       FROM audit_logs`,
    );
    return rows.map((row) => ({ ...row, size: Number(row.size) }));
  }

  /** Stops a log that is behind its anchor; false when it is stopped already. */
  async stop(
    tx: Tx,
    anchor: { organisationId: string; incarnation: number; size: number; root: Buffer },
    emptyRoot: Buffer,
  ): Promise<boolean> {
    const rows = await execute(
      tx,
      {
        text: `INSERT INTO audit_logs AS l (organisation_id, incarnation, size, frontier, root, note, signed_at, kept_at,
                 rolled_back_at, anchor_incarnation, anchor_size, anchor_root)
               VALUES ($1, $2, 0, '{}', $5, '', now(), now(), now(), $2, $3, $4)
               ON CONFLICT (organisation_id) DO UPDATE SET rolled_back_at = now(),
                 anchor_incarnation = excluded.anchor_incarnation, anchor_size = excluded.anchor_size,
                 anchor_root = excluded.anchor_root
               WHERE l.rolled_back_at IS NULL RETURNING 1`,
      },
      [anchor.organisationId, anchor.incarnation, anchor.size, anchor.root, emptyRoot],
    );
    return rows.length > 0;
  }

  /**
   * The logs of the entries that wait longest. After `elect`, in a statement of its own: what others did until then is
   * seen.
   * @param rows how many are looked at, of up to 16 entries each; as many as `take` takes
   */
  async waiting(tx: Tx, rows: number): Promise<LogState[]> {
    const logs = await execute<WaitingRow>(tx, { name: 'audit-waiting', text: WAITING }, [rows]);
    return logs.map((row) => (row.incarnation === null ? newLog(row.organisation_id) : toState(row)));
  }

  /**
   * Gives the entries that wait longest for these logs their leaves, in the order in which they were written.
   * @param rows of up to 16 entries each
   */
  async take(tx: Tx, organisationIds: readonly string[], rows: number): Promise<Taken> {
    const taken = await execute<TakenRow>(tx, { name: 'audit-take', text: TAKE }, [
      sqlArray.plain(organisationIds),
      rows,
    ]);
    return {
      hashes: new Map(taken.map((row) => [row.organisation_id, apart(row.hashes)])),
      isFull: taken[0]?.taken === rows,
    };
  }

  /** Logs whose checkpoint is older than that: nothing happened there, and a new checkpoint says so. */
  async idle(tx: Tx, seconds: number): Promise<LogState[]> {
    return (await execute<LogRow>(tx, { text: IDLE }, [seconds])).map(toState);
  }

  /** Writes all of it in one statement: between a commit and its checkpoint lie as few messages as can be. */
  async write(tx: Tx, { nodes, logs }: Growth): Promise<void> {
    const kept = logs.filter(({ keptAt, signedAt }) => keptAt.getTime() === signedAt.getTime());
    const clauses = [
      ...(nodes.length > 0 ? [{ name: 'nodes', text: ADD_NODES, values: nodeColumns(nodes) }] : []),
      { name: 'logs', text: SAVE, values: logColumns(logs) },
      ...(kept.length > 0 ? [{ name: 'kept', text: KEEP, values: checkpointColumns(kept) }] : []),
    ];
    const { values, ...statement } = composite('audit-seal', clauses, 'SELECT 1', { prepared: true });
    await execute(tx, statement, values);
  }
}

const nodeColumns = (nodes: Growth['nodes']): unknown[] => [
  sqlArray.plain(nodes.map((node) => node.organisationId)),
  sqlArray.plain(nodes.map((node) => node.level)),
  sqlArray.plain(nodes.map((node) => node.index)),
  sqlArray.bytes(nodes.map((node) => node.hash)),
];

const logColumns = (logs: Growth['logs']): unknown[] => [
  sqlArray.plain(logs.map((log) => log.organisationId)),
  sqlArray.plain(logs.map((log) => log.incarnation)),
  sqlArray.plain(logs.map((log) => log.frontier.size)),
  sqlArray.text(logs.map((log) => log.frontier.roots.map((root) => root.toString('hex')).join(','))),
  sqlArray.bytes(logs.map((log) => log.root)),
  sqlArray.text(logs.map((log) => log.note)),
  sqlArray.plain(logs.map((log) => log.signedAt.toISOString())),
  sqlArray.plain(logs.map((log) => log.keptAt.toISOString())),
];

const checkpointColumns = (logs: Growth['logs']): unknown[] => [
  sqlArray.plain(logs.map((log) => log.organisationId)),
  sqlArray.plain(logs.map((log) => log.incarnation)),
  sqlArray.plain(logs.map((log) => log.frontier.size)),
  sqlArray.plain(logs.map((log) => log.signedAt.toISOString())),
  sqlArray.bytes(logs.map((log) => log.root)),
  sqlArray.text(logs.map((log) => log.note)),
];

const toState = (row: LogRow): LogState => ({
  organisationId: row.organisation_id,
  incarnation: row.incarnation,
  frontier: { size: Number(row.size), roots: row.frontier },
  keptAt: row.kept_at,
  note: row.note,
  root: row.root,
});

const HASH_BYTES = 32;

const apart = (hashes: Buffer): Buffer[] =>
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
