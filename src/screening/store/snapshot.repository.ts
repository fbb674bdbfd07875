import { Injectable } from '@nestjs/common';
import {
  execute,
  properties,
  selectedBut,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type Reader,
  type Rows,
  type Tx,
} from '../../database/index.js';
import type { SnapshotRow, SnapshotStatus } from '../domain/records.js';
import { ScreeningListEntity } from './entities/screening-list.entity.js';
import { ScreeningSnapshotEntity } from './entities/screening-snapshot.entity.js';
import { ScreeningStagedEntryEntity } from './entities/screening-staged-entry.entity.js';

/** An entry that waits for its snapshot to be published. */
export interface StagedEntry {
  readonly id: string;
  readonly key: string;
  readonly hash: Buffer;
  /** The JSON of an entry of a public list, or the same sealed. */
  readonly content: string | null;
  readonly sealed: Buffer | null;
}

const RECEIVED = selectedBut(ScreeningSnapshotEntity, 's', 'sha256', 'touchedAt');
const SNAPSHOT = {
  sql: `${RECEIVED.sql}, encode(s.sha256, 'hex') AS sha256`,
  shape: { ...RECEIVED.shape, sha256: 'text | null' },
} as const;

const OPEN_SNAPSHOT = statement(
  'screening.open-snapshot',
  `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, bytes_total, requested_by)
   VALUES ($1, $2, $3, 'READING', $4, $5)
   ON CONFLICT (list_id, organisation_id) WHERE status IN ('READING', 'AWAITING_CONFIRMATION') DO NOTHING RETURNING id`,
  properties(ScreeningSnapshotEntity, 'id'),
);

const FAIL_ABANDONED = statement(
  'screening.fail-abandoned',
  `UPDATE screening_snapshots SET status = 'FAILED', reason = 'INTERRUPTED', ended_at = now()
   WHERE organisation_id = $1 AND list_id = $2 AND status = 'READING'
     AND touched_at < now() - make_interval(secs => $3) RETURNING id`,
  properties(ScreeningSnapshotEntity, 'id'),
);

const STAGE = statement(
  'screening.stage-entries',
  `WITH staged AS (
     INSERT INTO screening_staged (id, organisation_id, snapshot_id, entry_key, content_hash, content, sealed)
     SELECT s.id, $2, $3, s.key, s.hash, s.content, s.sealed
     FROM unnest($1::uuid[], $4::text[], $5::bytea[], $6::text[], $7::bytea[]) AS s (id, key, hash, content, sealed)
     ON CONFLICT (snapshot_id, entry_key, organisation_id) DO NOTHING RETURNING 1)
   SELECT count(*)::int AS count FROM staged`,
  { count: 'integer' },
);

const PROGRESS = statement(
  'screening.import-progress',
  `UPDATE screening_snapshots SET bytes_read = $2, lines_broken = $3, broken = $4::jsonb, entries = $5, names = $6,
     touched_at = now() WHERE id = $1 AND status = 'READING'`,
);

const DIFFERENCE = statement(
  'screening.snapshot-difference',
  `SELECT count(*) FILTER (WHERE e.id IS NULL)::int AS added,
          count(*) FILTER (WHERE e.content_hash <> s.content_hash)::int AS changed,
          count(*) FILTER (WHERE s.id IS NULL)::int AS removed,
          count(*) FILTER (WHERE e.content_hash = s.content_hash)::int AS unchanged
   FROM (SELECT id, entry_key, content_hash FROM screening_entries
         WHERE list_id = $1 AND to_sequence IS NULL) AS e
   FULL JOIN (SELECT id, entry_key, content_hash FROM screening_staged WHERE snapshot_id = $2) AS s
     ON s.entry_key = e.entry_key`,
  { added: 'integer', changed: 'integer', removed: 'integer', unchanged: 'integer' },
);

const PREVIEW = statement(
  'screening.snapshot-preview',
  `SELECT coalesce(s.entry_key, e.entry_key) AS key,
            CASE WHEN e.id IS NULL THEN 'ADDED' WHEN s.id IS NULL THEN 'REMOVED' ELSE 'CHANGED' END AS change
     FROM (SELECT id, entry_key, content_hash FROM screening_entries
           WHERE list_id = $1 AND to_sequence IS NULL) AS e
     FULL JOIN (SELECT id, entry_key, content_hash FROM screening_staged WHERE snapshot_id = $2) AS s
       ON s.entry_key = e.entry_key
     WHERE e.content_hash IS DISTINCT FROM s.content_hash ORDER BY 2 DESC, 1 LIMIT $3`,
  { key: 'text', change: value<'ADDED' | 'CHANGED' | 'REMOVED'>('text') },
);

const JUDGE = statement(
  'screening.judge-snapshot',
  `UPDATE screening_snapshots SET status = $2, reason = $3, sha256 = coalesce($4, sha256), added = $5, changed = $6,
     removed = $7, unchanged = $8, touched_at = now(),
     ended_at = CASE WHEN $2 = 'AWAITING_CONFIRMATION' THEN NULL ELSE now() END
   WHERE id = $1 AND status = 'READING'`,
);

const DECIDE = statement(
  'screening.decide-snapshot',
  `UPDATE screening_snapshots AS s SET status = $4, decided_by = $5, ended_at = now()
   WHERE organisation_id = $1 AND list_id = $2 AND id = $3 AND status = 'AWAITING_CONFIRMATION'
   RETURNING ${SNAPSHOT.sql}`,
  SNAPSHOT.shape,
);

const NUMBER = statement(
  'screening.number-snapshot',
  `UPDATE screening_lists SET sequence = sequence + 1, snapshot_id = $2, published_at = now()
   WHERE id = $1 RETURNING sequence`,
  properties(ScreeningListEntity, 'sequence'),
);

const END_ENTRIES = statement(
  'screening.end-entries',
  `UPDATE screening_entries e SET to_sequence = $2
   WHERE e.list_id = $1 AND e.to_sequence IS NULL AND NOT EXISTS (
     SELECT 1 FROM screening_staged s
     WHERE s.snapshot_id = $3 AND s.entry_key = e.entry_key AND s.content_hash = e.content_hash)`,
);

const ADD_ENTRIES = statement(
  'screening.add-entries',
  `INSERT INTO screening_entries
     (id, organisation_id, list_id, entry_key, content_hash, content, sealed, from_sequence)
   SELECT s.id, s.organisation_id, $1, s.entry_key, s.content_hash, s.content, s.sealed, $2
   FROM screening_staged s
   WHERE s.snapshot_id = $3 AND NOT EXISTS (
     SELECT 1 FROM screening_entries e
     WHERE e.list_id = $1 AND e.to_sequence IS NULL AND e.entry_key = s.entry_key)`,
);

const COUNT_ENTRIES = statement(
  'screening.count-entries',
  `UPDATE screening_lists SET entries =
     (SELECT count(*) FROM screening_entries WHERE list_id = $1 AND to_sequence IS NULL) WHERE id = $1`,
);

const REFRESH = statement(
  'screening.refresh-list',
  `UPDATE screening_lists SET published_at = now() WHERE id = $1`,
);

const SNAPSHOT_BY_ID = statement(
  'screening.find-snapshot',
  `SELECT ${SNAPSHOT.sql} FROM screening_snapshots s WHERE organisation_id = $1 AND list_id = $2 AND id = $3`,
  SNAPSHOT.shape,
);

const SNAPSHOTS = statement(
  'screening.snapshot-page',
  `SELECT ${SNAPSHOT.sql} FROM screening_snapshots s
     WHERE organisation_id = $1 AND list_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
  SNAPSHOT.shape,
);

/** Snapshots of lists, from the import to the publication. */
@Injectable()
export class SnapshotRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async open(
    tx: Tx,
    snapshot: Pick<SnapshotRow, 'id' | 'organisationId' | 'listId' | 'requestedBy'> & {
      bytesTotal: number | null;
    },
  ): Promise<boolean> {
    const rows = await execute(tx, OPEN_SNAPSHOT, [
      snapshot.id,
      snapshot.organisationId,
      snapshot.listId,
      snapshot.bytesTotal,
      snapshot.requestedBy,
    ]);
    return rows.length > 0;
  }

  /** Ends imports of the list whose process has not been heard of for a while. */
  async failAbandoned(tx: Tx, organisationId: string, listId: string, afterSeconds: number): Promise<void> {
    const rows = await execute(tx, FAIL_ABANDONED, [organisationId, listId, afterSeconds]);
    for (const { id } of rows) await this.unstage(tx, id);
  }

  async stage(
    tx: Tx,
    organisationId: string,
    snapshotId: string,
    entries: readonly StagedEntry[],
  ): Promise<number> {
    const rows = await execute(tx, STAGE, [
      sqlArray.plain(entries.map(({ id }) => id)),
      organisationId,
      snapshotId,
      sqlArray.text(entries.map(({ key }) => key)),
      sqlArray.bytes(entries.map(({ hash }) => hash)),
      sqlArray.text(entries.map(({ content }) => content)),
      sqlArray.bytes(entries.map(({ sealed }) => sealed)),
    ]);
    return rows[0]?.count ?? 0;
  }

  async progress(
    tx: Tx,
    snapshotId: string,
    read: Pick<SnapshotRow, 'linesBroken' | 'broken' | 'entries' | 'names'> & { bytesRead: number },
  ): Promise<void> {
    await execute(tx, PROGRESS, [
      snapshotId,
      read.bytesRead,
      read.linesBroken,
      JSON.stringify(read.broken),
      read.entries,
      read.names,
    ]);
  }

  /** Returns the changes that publishing the snapshot would make. */
  async difference(tx: Reader, listId: string, snapshotId: string): Promise<Rows<typeof DIFFERENCE>> {
    const rows = await execute(tx, DIFFERENCE, [listId, snapshotId]);
    return rows[0] ?? { added: 0, changed: 0, removed: 0, unchanged: 0 };
  }

  /** Some of what would change, by key: for a look before confirming. */
  async preview(
    organisationId: string,
    listId: string,
    snapshotId: string,
    limit: number,
  ): Promise<Rows<typeof PREVIEW>[]> {
    return this.uow.read(organisationId, (db) => execute(db, PREVIEW, [listId, snapshotId, limit]));
  }

  async judged(
    tx: Tx,
    snapshotId: string,
    judged: {
      status: SnapshotStatus;
      reason: string | null;
      sha256: Buffer | null;
      difference: Rows<typeof DIFFERENCE> | null;
    },
  ): Promise<void> {
    const { status, reason, sha256, difference } = judged;
    await execute(tx, JUDGE, [
      snapshotId,
      status,
      reason,
      sha256,
      difference?.added ?? null,
      difference?.changed ?? null,
      difference?.removed ?? null,
      difference?.unchanged ?? null,
    ]);
  }

  /** Takes a snapshot that waits out of its waiting; null when somebody else has. */
  async decide(
    tx: Tx,
    organisationId: string,
    listId: string,
    snapshotId: string,
    status: 'PUBLISHED' | 'REJECTED',
    decidedBy: string,
  ): Promise<SnapshotRow | null> {
    const rows = await execute(tx, DECIDE, [organisationId, listId, snapshotId, status, decidedBy]);
    return rows[0] ?? null;
  }

  /** Makes the staged entries those of the list and returns the number of the snapshot. */
  async publish(tx: Tx, listId: string, snapshotId: string): Promise<number> {
    const [numbered] = await execute(tx, NUMBER, [listId, snapshotId]);
    const sequence = numbered?.sequence ?? 0;
    await execute(tx, END_ENTRIES, [listId, sequence, snapshotId]);
    await execute(tx, ADD_ENTRIES, [listId, sequence, snapshotId]);
    await execute(tx, COUNT_ENTRIES, [listId]);
    await tx.update(ScreeningSnapshotEntity, { id: snapshotId }, { sequence });
    await this.unstage(tx, snapshotId);
    return sequence;
  }

  /** The same file again: the list is as fresh as the file, and nothing else changes. */
  async refresh(tx: Tx, listId: string): Promise<void> {
    await execute(tx, REFRESH, [listId]);
  }

  async unstage(tx: Tx, snapshotId: string): Promise<void> {
    await tx.delete(ScreeningStagedEntryEntity, { snapshotId });
  }

  async find(organisationId: string, listId: string, id: string): Promise<SnapshotRow | null> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, SNAPSHOT_BY_ID, [organisationId, listId, id]),
    );
    return rows[0] ?? null;
  }

  async page(
    organisationId: string,
    listId: string,
    before: string | null,
    limit: number,
  ): Promise<SnapshotRow[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, SNAPSHOTS, [organisationId, listId, before, limit]),
    );
  }
}
