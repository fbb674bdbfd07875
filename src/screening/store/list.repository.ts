import { Injectable } from '@nestjs/common';
import { sqlArray, system, UnitOfWork, type Reader, type Tx } from '../../database/index.js';
import type { ListRow, SnapshotRow, SnapshotStatus } from '../domain/records.js';

/** An entry that waits for its snapshot to be published. */
export interface StagedEntry {
  readonly id: string;
  readonly key: string;
  readonly hash: Buffer;
  /** The JSON of an entry of a public list, or the same sealed. */
  readonly content: string | null;
  readonly sealed: Buffer | null;
}

/** One version of an entry, as the index takes it. */
export interface EntryRow {
  readonly id: string;
  readonly hash: Buffer;
  readonly content: string | null;
  readonly sealed: Buffer | null;
}

const LIST = `id, organisation_id AS "organisationId", key, name, kind, format,
  evidence_threshold::float8 AS "evidenceThreshold", mandatory_threshold::float8 AS "mandatoryThreshold",
  stale_after_days AS "staleAfterDays", sequence, snapshot_id AS "snapshotId", published_at AS "publishedAt", entries,
  archived_at AS "archivedAt", created_at AS "createdAt"`;

const SNAPSHOT = `id, organisation_id AS "organisationId", list_id AS "listId", sequence, status, reason,
  encode(sha256, 'hex') AS sha256, bytes_total AS "bytesTotal", bytes_read AS "bytesRead",
  lines_broken AS "linesBroken", broken, entries, names, added, changed, removed, unchanged,
  requested_by AS "requestedBy", decided_by AS "decidedBy", created_at AS "createdAt", ended_at AS "endedAt"`;

/** Lists, their snapshots and entries. */
@Injectable()
export class ListRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(
    tx: Tx,
    list: Omit<ListRow, 'sequence' | 'snapshotId' | 'publishedAt' | 'entries' | 'archivedAt' | 'createdAt'>,
  ): Promise<ListRow | null> {
    const rows: ListRow[] = await tx.query(
      `INSERT INTO screening_lists
         (id, organisation_id, key, name, kind, format, evidence_threshold, mandatory_threshold, stale_after_days)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT ON CONSTRAINT screening_lists_key DO NOTHING RETURNING ${LIST}`,
      [
        list.id,
        list.organisationId,
        list.key,
        list.name,
        list.kind,
        list.format,
        list.evidenceThreshold,
        list.mandatoryThreshold,
        list.staleAfterDays,
      ],
    );
    return rows[0] ?? null;
  }

  async change(
    tx: Tx,
    organisationId: string,
    id: string,
    change: Partial<
      Pick<ListRow, 'name' | 'evidenceThreshold' | 'mandatoryThreshold' | 'staleAfterDays'> & {
        archived: boolean;
      }
    >,
  ): Promise<ListRow | null> {
    const [rows]: [ListRow[], number] = await tx.query(
      `UPDATE screening_lists SET
         name = coalesce($3, name), evidence_threshold = coalesce($4, evidence_threshold),
         mandatory_threshold = coalesce($5, mandatory_threshold),
         stale_after_days = CASE WHEN $6 THEN $7 ELSE stale_after_days END,
         archived_at = CASE WHEN $8::boolean THEN coalesce(archived_at, now()) ELSE archived_at END
       WHERE organisation_id = $1 AND id = $2 RETURNING ${LIST}`,
      [
        organisationId,
        id,
        change.name ?? null,
        change.evidenceThreshold ?? null,
        change.mandatoryThreshold ?? null,
        change.staleAfterDays !== undefined,
        change.staleAfterDays ?? null,
        change.archived ?? false,
      ],
    );
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<ListRow | null> {
    const rows: ListRow[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${LIST} FROM screening_lists WHERE organisation_id = $1 AND id = $2`, [
        organisationId,
        id,
      ]),
    );
    return rows[0] ?? null;
  }

  async findByKey(organisationId: string, key: string): Promise<ListRow | null> {
    const rows: ListRow[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${LIST} FROM screening_lists WHERE organisation_id = $1 AND key = $2`, [
        organisationId,
        key,
      ]),
    );
    return rows[0] ?? null;
  }

  async page(organisationId: string, after: string | null, limit: number): Promise<ListRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${LIST} FROM screening_lists
         WHERE organisation_id = $1 AND ($2::text IS NULL OR key > $2) ORDER BY key LIMIT $3`,
        [organisationId, after, limit],
      ),
    );
  }

  /** Every list of every organisation, for the index. */
  async all(): Promise<ListRow[]> {
    return this.uow.read(system('screening.index'), (db) => db.query(`SELECT ${LIST} FROM screening_lists`));
  }

  async openSnapshot(
    tx: Tx,
    snapshot: Pick<SnapshotRow, 'id' | 'organisationId' | 'listId' | 'requestedBy'> & {
      bytesTotal: number | null;
    },
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, bytes_total, requested_by)
       VALUES ($1, $2, $3, 'READING', $4, $5)
       ON CONFLICT (list_id) WHERE status IN ('READING', 'AWAITING_CONFIRMATION') DO NOTHING RETURNING id`,
      [snapshot.id, snapshot.organisationId, snapshot.listId, snapshot.bytesTotal, snapshot.requestedBy],
    );
    return rows.length > 0;
  }

  /** Ends imports of the list whose process has not been heard of for a while. */
  async failAbandoned(tx: Tx, organisationId: string, listId: string, afterSeconds: number): Promise<void> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE screening_snapshots SET status = 'FAILED', reason = 'INTERRUPTED', ended_at = now()
       WHERE organisation_id = $1 AND list_id = $2 AND status = 'READING'
         AND touched_at < now() - make_interval(secs => $3) RETURNING id`,
      [organisationId, listId, afterSeconds],
    );
    for (const { id } of rows) await this.unstage(tx, id);
  }

  async stage(
    tx: Tx,
    organisationId: string,
    snapshotId: string,
    entries: readonly StagedEntry[],
  ): Promise<number> {
    const rows: { count: number }[] = await tx.query(
      `WITH staged AS (
         INSERT INTO screening_staged (id, organisation_id, snapshot_id, entry_key, content_hash, content, sealed)
         SELECT s.id, $2, $3, s.key, s.hash, s.content, s.sealed
         FROM unnest($1::uuid[], $4::text[], $5::bytea[], $6::text[], $7::bytea[]) AS s (id, key, hash, content, sealed)
         ON CONFLICT (snapshot_id, entry_key) DO NOTHING RETURNING 1)
       SELECT count(*)::int AS count FROM staged`,
      [
        sqlArray.plain(entries.map(({ id }) => id)),
        organisationId,
        snapshotId,
        sqlArray.text(entries.map(({ key }) => key)),
        sqlArray.bytes(entries.map(({ hash }) => hash)),
        sqlArray.text(entries.map(({ content }) => content)),
        sqlArray.bytes(entries.map(({ sealed }) => sealed)),
      ],
    );
    return rows[0]?.count ?? 0;
  }

  async progress(
    tx: Tx,
    snapshotId: string,
    read: Pick<SnapshotRow, 'linesBroken' | 'broken' | 'entries' | 'names'> & { bytesRead: number },
  ): Promise<void> {
    await tx.query(
      `UPDATE screening_snapshots SET bytes_read = $2, lines_broken = $3, broken = $4::jsonb, entries = $5, names = $6,
         touched_at = now() WHERE id = $1 AND status = 'READING'`,
      [snapshotId, read.bytesRead, read.linesBroken, JSON.stringify(read.broken), read.entries, read.names],
    );
  }

  /** What publishing the snapshot would change. */
  async difference(
    tx: Reader,
    listId: string,
    snapshotId: string,
  ): Promise<{ added: number; changed: number; removed: number; unchanged: number }> {
    const rows: { added: number; changed: number; removed: number; unchanged: number }[] = await tx.query(
      `SELECT count(*) FILTER (WHERE e.id IS NULL)::int AS added,
              count(*) FILTER (WHERE e.content_hash <> s.content_hash)::int AS changed,
              count(*) FILTER (WHERE s.id IS NULL)::int AS removed,
              count(*) FILTER (WHERE e.content_hash = s.content_hash)::int AS unchanged
       FROM (SELECT id, entry_key, content_hash FROM screening_entries
             WHERE list_id = $1 AND to_sequence IS NULL) AS e
       FULL JOIN (SELECT id, entry_key, content_hash FROM screening_staged WHERE snapshot_id = $2) AS s
         ON s.entry_key = e.entry_key`,
      [listId, snapshotId],
    );
    return rows[0] ?? { added: 0, changed: 0, removed: 0, unchanged: 0 };
  }

  /** Some of what would change, by key: for a look before confirming. */
  async preview(
    organisationId: string,
    listId: string,
    snapshotId: string,
    limit: number,
  ): Promise<{ key: string; change: 'ADDED' | 'CHANGED' | 'REMOVED' }[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT coalesce(s.entry_key, e.entry_key) AS key,
                CASE WHEN e.id IS NULL THEN 'ADDED' WHEN s.id IS NULL THEN 'REMOVED' ELSE 'CHANGED' END AS change
         FROM (SELECT id, entry_key, content_hash FROM screening_entries
               WHERE list_id = $1 AND to_sequence IS NULL) AS e
         FULL JOIN (SELECT id, entry_key, content_hash FROM screening_staged WHERE snapshot_id = $2) AS s
           ON s.entry_key = e.entry_key
         WHERE e.content_hash IS DISTINCT FROM s.content_hash ORDER BY 2 DESC, 1 LIMIT $3`,
        [listId, snapshotId, limit],
      ),
    );
  }

  async judged(
    tx: Tx,
    snapshotId: string,
    judged: {
      status: SnapshotStatus;
      reason: string | null;
      sha256: Buffer | null;
      difference: { added: number; changed: number; removed: number; unchanged: number } | null;
    },
  ): Promise<void> {
    const { status, reason, sha256, difference } = judged;
    await tx.query(
      `UPDATE screening_snapshots SET status = $2, reason = $3, sha256 = coalesce($4, sha256), added = $5, changed = $6,
         removed = $7, unchanged = $8, touched_at = now(),
         ended_at = CASE WHEN $2 = 'AWAITING_CONFIRMATION' THEN NULL ELSE now() END
       WHERE id = $1 AND status = 'READING'`,
      [
        snapshotId,
        status,
        reason,
        sha256,
        difference?.added ?? null,
        difference?.changed ?? null,
        difference?.removed ?? null,
        difference?.unchanged ?? null,
      ],
    );
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
    const [rows]: [SnapshotRow[], number] = await tx.query(
      `UPDATE screening_snapshots SET status = $4, decided_by = $5, ended_at = now()
       WHERE organisation_id = $1 AND list_id = $2 AND id = $3 AND status = 'AWAITING_CONFIRMATION'
       RETURNING ${SNAPSHOT}`,
      [organisationId, listId, snapshotId, status, decidedBy],
    );
    return rows[0] ?? null;
  }

  /** Makes the staged entries those of the list and returns the number of the snapshot. */
  async publish(tx: Tx, listId: string, snapshotId: string): Promise<number> {
    const [numbered]: [{ sequence: number }[], number] = await tx.query(
      `UPDATE screening_lists SET sequence = sequence + 1, snapshot_id = $2, published_at = now()
       WHERE id = $1 RETURNING sequence`,
      [listId, snapshotId],
    );
    const sequence = numbered[0]?.sequence ?? 0;
    await tx.query(
      `UPDATE screening_entries e SET to_sequence = $2
       WHERE e.list_id = $1 AND e.to_sequence IS NULL AND NOT EXISTS (
         SELECT 1 FROM screening_staged s
         WHERE s.snapshot_id = $3 AND s.entry_key = e.entry_key AND s.content_hash = e.content_hash)`,
      [listId, sequence, snapshotId],
    );
    await tx.query(
      `INSERT INTO screening_entries
         (id, organisation_id, list_id, entry_key, content_hash, content, sealed, from_sequence)
       SELECT s.id, s.organisation_id, $1, s.entry_key, s.content_hash, s.content, s.sealed, $2
       FROM screening_staged s
       WHERE s.snapshot_id = $3 AND NOT EXISTS (
         SELECT 1 FROM screening_entries e
         WHERE e.list_id = $1 AND e.to_sequence IS NULL AND e.entry_key = s.entry_key)`,
      [listId, sequence, snapshotId],
    );
    await tx.query(
      `UPDATE screening_lists SET entries =
         (SELECT count(*) FROM screening_entries WHERE list_id = $1 AND to_sequence IS NULL) WHERE id = $1`,
      [listId],
    );
    await tx.query(`UPDATE screening_snapshots SET sequence = $2 WHERE id = $1`, [snapshotId, sequence]);
    await this.unstage(tx, snapshotId);
    return sequence;
  }

  /** The same file again: the list is as fresh as the file, and nothing else changes. */
  async refresh(tx: Tx, listId: string): Promise<void> {
    await tx.query(`UPDATE screening_lists SET published_at = now() WHERE id = $1`, [listId]);
  }

  async unstage(tx: Tx, snapshotId: string): Promise<void> {
    await tx.query(`DELETE FROM screening_staged WHERE snapshot_id = $1`, [snapshotId]);
  }

  async snapshot(organisationId: string, listId: string, id: string): Promise<SnapshotRow | null> {
    const rows: SnapshotRow[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${SNAPSHOT} FROM screening_snapshots WHERE organisation_id = $1 AND list_id = $2 AND id = $3`,
        [organisationId, listId, id],
      ),
    );
    return rows[0] ?? null;
  }

  async snapshots(
    organisationId: string,
    listId: string,
    before: string | null,
    limit: number,
  ): Promise<SnapshotRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${SNAPSHOT} FROM screening_snapshots
         WHERE organisation_id = $1 AND list_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
        [organisationId, listId, before, limit],
      ),
    );
  }

  /** Entries of a list as snapshot `sequence` has them, in pages by id; only those new since `since` when it is given. */
  async entries(
    organisationId: string,
    listId: string,
    sequence: number,
    page: { readonly since?: number; readonly after: string | null; readonly limit: number },
  ): Promise<EntryRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, content_hash AS hash, content, sealed FROM screening_entries
         WHERE list_id = $1 AND from_sequence <= $2 AND from_sequence > $3
           AND (to_sequence IS NULL OR to_sequence > $2) AND ($4::uuid IS NULL OR id > $4)
         ORDER BY id LIMIT $5`,
        [listId, sequence, page.since ?? 0, page.after, page.limit],
      ),
    );
  }

  /** Ids of the entries that snapshot `since` has and `sequence` has no more. */
  async gone(organisationId: string, listId: string, since: number, sequence: number): Promise<string[]> {
    const rows: { id: string }[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id FROM screening_entries
         WHERE list_id = $1 AND to_sequence > $2 AND to_sequence <= $3 AND from_sequence <= $2`,
        [listId, since, sequence],
      ),
    );
    return rows.map(({ id }) => id);
  }

  /** Versions of entries by id, whatever snapshot they are of. */
  async entriesById(
    organisationId: string,
    ids: readonly string[],
  ): Promise<(EntryRow & { listId: string; key: string; fromSequence: number })[]> {
    if (ids.length === 0) return [];
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, list_id AS "listId", entry_key AS key, content_hash AS hash, content, sealed, from_sequence AS "fromSequence"
         FROM screening_entries WHERE organisation_id = $1 AND id = ANY ($2::uuid[])`,
        [organisationId, ids],
      ),
    );
  }

  /** A page of the entries in force, by key. */
  async current(
    organisationId: string,
    listId: string,
    after: string | null,
    limit: number,
  ): Promise<(EntryRow & { key: string; fromSequence: number })[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, entry_key AS key, content_hash AS hash, content, sealed, from_sequence AS "fromSequence"
         FROM screening_entries
         WHERE list_id = $1 AND to_sequence IS NULL AND ($2::text IS NULL OR entry_key > $2)
         ORDER BY entry_key LIMIT $3`,
        [listId, after, limit],
      ),
    );
  }
}
