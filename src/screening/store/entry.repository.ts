import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  properties,
  statement,
  UnitOfWork,
  type RowOf,
  type Rows,
} from '../../database/index.js';
import { ScreeningEntryEntity } from './entities/screening-entry.entity.js';

const ENTRY = {
  ...properties(ScreeningEntryEntity, 'id', 'content', 'sealed'),
  hash: column(ScreeningEntryEntity, 'contentHash'),
};
/** One version of an entry, as the index takes it. */
export type EntryRow = RowOf<typeof ENTRY>;

const KEYED_ENTRY = {
  ...ENTRY,
  ...properties(ScreeningEntryEntity, 'fromSequence'),
  key: column(ScreeningEntryEntity, 'entryKey'),
};

const ENTRIES = statement(
  'screening.entries-at',
  `SELECT id, content_hash AS hash, content, sealed FROM screening_entries
     WHERE list_id = $1 AND from_sequence <= $2 AND from_sequence > $3
       AND (to_sequence IS NULL OR to_sequence > $2) AND ($4::uuid IS NULL OR id > $4)
     ORDER BY id LIMIT $5`,
  ENTRY,
);

const GONE = statement(
  'screening.entries-gone',
  `SELECT id FROM screening_entries
     WHERE list_id = $1 AND to_sequence > $2 AND to_sequence <= $3 AND from_sequence <= $2`,
  properties(ScreeningEntryEntity, 'id'),
);

const ENTRIES_BY_ID = statement(
  'screening.entries-by-id',
  `SELECT id, list_id AS "listId", entry_key AS key, content_hash AS hash, content, sealed, from_sequence AS "fromSequence"
     FROM screening_entries WHERE organisation_id = $1 AND id = ANY ($2::uuid[])`,
  { ...KEYED_ENTRY, ...properties(ScreeningEntryEntity, 'listId') },
);

const CURRENT = statement(
  'screening.current-entries',
  `SELECT id, entry_key AS key, content_hash AS hash, content, sealed, from_sequence AS "fromSequence"
     FROM screening_entries
     WHERE list_id = $1 AND to_sequence IS NULL AND ($2::text IS NULL OR entry_key > $2)
     ORDER BY entry_key LIMIT $3`,
  KEYED_ENTRY,
);

/** Entries of lists, as their snapshots have them. */
@Injectable()
export class EntryRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Entries of a list as snapshot `sequence` has them, in pages by id; only those new since `since` when it is given. */
  async page(
    organisationId: string,
    listId: string,
    sequence: number,
    page: { readonly since?: number; readonly after: string | null; readonly limit: number },
  ): Promise<EntryRow[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, ENTRIES, [listId, sequence, page.since ?? 0, page.after, page.limit]),
    );
  }

  /** Ids of the entries that snapshot `since` has and `sequence` has no more. */
  async gone(organisationId: string, listId: string, since: number, sequence: number): Promise<string[]> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, GONE, [listId, since, sequence]));
    return rows.map(({ id }) => id);
  }

  /** Versions of entries by id, whatever snapshot they are of. */
  async byId(organisationId: string, ids: readonly string[]): Promise<Rows<typeof ENTRIES_BY_ID>[]> {
    if (ids.length === 0) return [];
    return this.uow.read(organisationId, (db) => execute(db, ENTRIES_BY_ID, [organisationId, ids]));
  }

  /** A page of the entries in force, by key. */
  async current(
    organisationId: string,
    listId: string,
    after: string | null,
    limit: number,
  ): Promise<Rows<typeof CURRENT>[]> {
    return this.uow.read(organisationId, (db) => execute(db, CURRENT, [listId, after, limit]));
  }
}
