import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  column,
  execute,
  nullable,
  statement,
  unnested,
  UnitOfWork,
  value,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { QuotaUse } from '../../../platform/quotas/index.js';
import { computeRootOfEntries } from './list-root.statements.js';
import { ScreeningListEntity, ScreeningSnapshotEntity, ScreeningStagedEntryEntity } from './entities.js';

/** An entry of an unpublished snapshot: its JSON if the list is public, else encrypted. */
export type StagedEntry = Readonly<Omit<ScreeningStagedEntryEntity, 'organisationId' | 'snapshotId'>>;

const ENTRIES = unnested<StagedEntry>({
  uuid: ['id'],
  text: ['entryKey', 'content'],
  bytea: ['contentHash', 'sealed'],
});
const STAGE = statement(
  'screening.stage-entries',
  `WITH staged AS (
     INSERT INTO screening_staged (organisation_id, snapshot_id, ${ENTRIES.columns})
     SELECT $1, $2, s.* FROM ${ENTRIES.from(3)} RETURNING 1)
   SELECT count(*)::int AS count FROM staged`,
  { count: 'integer' },
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
            CASE WHEN e.id IS NULL THEN 'ADDED' WHEN s.id IS NULL THEN 'REMOVED' ELSE 'CHANGED' END AS change,
            coalesce(s.id, e.id) AS id, CASE WHEN s.id IS NULL THEN e.content ELSE s.content END AS content,
            CASE WHEN s.id IS NULL THEN e.sealed ELSE s.sealed END AS sealed
     FROM (SELECT id, entry_key, content_hash, content, sealed FROM screening_entries
           WHERE list_id = $1 AND to_sequence IS NULL) AS e
     FULL JOIN (SELECT id, entry_key, content_hash, content, sealed FROM screening_staged WHERE snapshot_id = $2) AS s
       ON s.entry_key = e.entry_key
     WHERE e.content_hash IS DISTINCT FROM s.content_hash ORDER BY 2 DESC, 1 LIMIT $3`,
  {
    ...{ key: 'text', change: value<'ADDED' | 'CHANGED' | 'REMOVED'>('text'), id: 'uuid' },
    ...{ content: 'text | null', sealed: nullable(column(ScreeningStagedEntryEntity, 'sealed')) },
  },
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

const LOST_ALONE = statement(
  'screening.lost-alone',
  `SELECT coalesce(sum(removed + changed), 0)::int AS lost FROM screening_snapshots
   WHERE list_id = $1 AND status = 'PUBLISHED' AND reason IS NULL AND ended_at > now() - make_interval(days => $2)`,
  { lost: 'integer' },
);

/** Stages, compares and publishes the entries of snapshots. */
@Injectable()
export class SnapshotRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Counts the entries of all lists in use. */
  @QuotaUse('listEntries')
  async countEntries(organisationId: string): Promise<number> {
    const where = { organisationId, archivedAt: IsNull() };
    const lists = await this.uow.read(organisationId, (db) =>
      db.find(ScreeningListEntity, { select: { id: true, entries: true }, where }),
    );
    return lists.reduce((sum, { entries }) => sum + entries, 0);
  }

  /** Stages entries and returns their number. Fails on a duplicate key, because no entry may be lost silently. */
  async stage(
    tx: Tx,
    organisationId: string,
    snapshotId: string,
    entries: readonly StagedEntry[],
  ): Promise<number> {
    const rows = await execute(tx, STAGE, [organisationId, snapshotId, ...ENTRIES.arrays(entries)]);
    return rows[0]?.count ?? 0;
  }

  /** Returns the changes that publishing the snapshot would make. */
  async compareWithPublished(tx: Tx, listId: string, snapshotId: string): Promise<Rows<typeof DIFFERENCE>> {
    const rows = await execute(tx, DIFFERENCE, [listId, snapshotId]);
    return rows[0] ?? { added: 0, changed: 0, removed: 0, unchanged: 0 };
  }

  /** Counts the entries that were removed or changed within so many days without a second person. */
  async countLostNames(tx: Tx, listId: string, days: number): Promise<number> {
    const rows = await execute(tx, LOST_ALONE, [listId, days]);
    return rows[0]?.lost ?? 0;
  }

  /**
   * Returns up to `limit` changed entries, as the import leaves or removes them, for the preview before the confirmation: removed, then changed, then added, each
   * sorted by key.
   */
  async preview(
    organisationId: string,
    listId: string,
    snapshotId: string,
    limit: number,
  ): Promise<Rows<typeof PREVIEW>[]> {
    return this.uow.rows(organisationId, PREVIEW, [listId, snapshotId, limit]);
  }

  /** Replaces the entries of the list by the staged ones. Returns the number of the snapshot and the new root hash. */
  async publish(
    tx: Tx,
    listId: string,
    snapshotId: string,
  ): Promise<{ readonly sequence: number; readonly root: string }> {
    const { fileDatedAt } = await tx.findOneByOrFail(ScreeningSnapshotEntity, { id: snapshotId });
    const publishedAt = fileDatedAt ?? (() => 'now()');
    await tx.update(
      ScreeningListEntity,
      { id: listId },
      { sequence: () => 'sequence + 1', snapshotId, publishedAt },
    );
    const { sequence, organisationId } = await tx.findOneByOrFail(ScreeningListEntity, { id: listId });
    await execute(tx, END_ENTRIES, [listId, sequence, snapshotId]);
    await execute(tx, ADD_ENTRIES, [listId, sequence, snapshotId]);
    await execute(tx, COUNT_ENTRIES, [listId]);
    await tx.update(ScreeningSnapshotEntity, { id: snapshotId }, { sequence });
    await tx.delete(ScreeningStagedEntryEntity, { snapshotId });
    return { sequence, root: await computeRootOfEntries(tx, organisationId, listId, sequence) };
  }
}
