import { Injectable } from '@nestjs/common';
import {
  column,
  properties,
  selectColumnsExcept,
  statement,
  system,
  UnitOfWork,
  type Rows,
} from '../../../platform/database/index.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningEntryEntity, ScreeningListEntity, ScreeningSnapshotEntity } from './entities.js';

const LIST = selectColumnsExcept(ScreeningListEntity, 'l');

const LISTS = statement('screening.all-lists', `SELECT ${LIST.sql} FROM screening_lists l`, LIST.shape);

const ENTRIES = statement(
  'screening.entries-at',
  `SELECT id, content_hash AS hash, content, sealed, from_sequence AS sequence FROM screening_entries
     WHERE list_id = $1 AND from_sequence <= $2 AND from_sequence > $3
       AND (to_sequence IS NULL OR to_sequence > $2) AND ($4::uuid IS NULL OR id > $4)
     ORDER BY id LIMIT $5`,
  {
    ...properties(ScreeningEntryEntity, 'id', 'content', 'sealed'),
    hash: column(ScreeningEntryEntity, 'contentHash'),
    sequence: column(ScreeningEntryEntity, 'fromSequence'),
  },
);

const OF_ONE = statement(
  'screening.snapshots-of-one',
  `SELECT sequence FROM screening_snapshots
     WHERE organisation_id = $1 AND list_id = $2 AND status = 'PUBLISHED' AND sequence IS NOT NULL
       AND requested_by LIKE 'operator:%' AND decided_by IS NULL`,
  properties(ScreeningSnapshotEntity, 'sequence'),
);

const GONE = statement(
  'screening.entries-gone',
  `SELECT id FROM screening_entries
     WHERE list_id = $1 AND to_sequence > $2 AND to_sequence <= $3 AND from_sequence <= $2`,
  properties(ScreeningEntryEntity, 'id'),
);

/** Reads lists and entries for the index. */
@Injectable()
export class EntryRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async listLists(): Promise<ListRow[]> {
    return this.uow.rows(system('screening.index'), LISTS, []);
  }

  /**
   * Returns a page of the entries in snapshot `sequence`, sorted by id; with `since`, only entries added after that
   * snapshot.
   */
  async listPage(
    organisationId: string,
    listId: string,
    sequence: number,
    page: { readonly since?: number; readonly after: string | null; readonly limit: number },
  ): Promise<Rows<typeof ENTRIES>[]> {
    return this.uow.rows(organisationId, ENTRIES, [
      listId,
      sequence,
      page.since ?? 0,
      page.after,
      page.limit,
    ]);
  }

  /** Returns the numbers of the snapshots of a list that one operator alone published. */
  async findSequencesOfOne({
    organisationId,
    id,
  }: Pick<ListRow, 'organisationId' | 'id'>): Promise<ReadonlySet<number>> {
    const rows = await this.uow.rows(organisationId, OF_ONE, [organisationId, id]);
    return new Set(rows.flatMap(({ sequence }) => sequence ?? []));
  }

  /** Returns the ids of the entries that are in snapshot `since` and no longer in `sequence`. */
  async findRemoved(
    organisationId: string,
    listId: string,
    since: number,
    sequence: number,
  ): Promise<string[]> {
    const rows = await this.uow.rows(organisationId, GONE, [listId, since, sequence]);
    return rows.map(({ id }) => id);
  }
}
