import { Injectable } from '@nestjs/common';
import type { ListEntry } from '../domain/lists/list-entry.js';
import { EntryCodec } from './entry-codec.js';
import { ScreeningLists } from './screening-lists.service.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';
import { EntryRepository } from '../store/entry.repository.js';
import { ListRepository } from '../store/list.repository.js';
import { SnapshotRepository } from '../store/snapshot.repository.js';
import type { RoundRow } from '../domain/records.js';
import { RoundRepository } from '../store/round.repository.js';

export interface ReadEntry {
  readonly entry: ListEntry;
  /** The snapshot that this version of the entry came with. */
  readonly since: number;
}

const PREVIEW = 100;

/** Lists, entries and imports, as operators look at them. */
@Injectable()
export class ListEntries {
  constructor(
    private readonly lists: ScreeningLists,
    private readonly repository: ListRepository,
    private readonly entries: EntryRepository,
    private readonly snapshots: SnapshotRepository,
    private readonly rounds: RoundRepository,
    private readonly codec: EntryCodec,
  ) {}

  async page(organisationId: string, after: string | null, limit: number): Promise<ListRow[]> {
    return this.repository.page(organisationId, after, limit);
  }

  async current(
    organisationId: string,
    listId: string,
    after: string | null,
    limit: number,
  ): Promise<ReadEntry[]> {
    await this.lists.get(organisationId, listId);
    const rows = await this.entries.current(organisationId, listId, after, limit);
    const entries = await this.codec.entries(organisationId, rows);
    return entries.map((entry, i) => ({ entry, since: rows[i]?.fromSequence ?? 0 }));
  }

  /** Versions of entries by id, for what a search has found. */
  async byId(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ReadEntry>> {
    const rows = await this.entries.byId(organisationId, ids);
    const entries = await this.codec.entries(organisationId, rows);
    return new Map(
      rows.flatMap((row, i) => {
        const entry = entries[i];
        return entry ? [[row.id, { entry, since: row.fromSequence }] as const] : [];
      }),
    );
  }

  async imports(
    organisationId: string,
    listId: string,
    before: string | null,
    limit: number,
  ): Promise<SnapshotRow[]> {
    await this.lists.get(organisationId, listId);
    return this.snapshots.page(organisationId, listId, before, limit);
  }

  /** Returns the changes that a waiting import would make, and how far the customers have been screened against it. */
  async detail(snapshot: SnapshotRow): Promise<{
    readonly preview: { key: string; change: 'ADDED' | 'CHANGED' | 'REMOVED' }[];
    readonly round: RoundRow | null;
  }> {
    const { organisationId, listId, id, status } = snapshot;
    return {
      preview:
        status === 'AWAITING_CONFIRMATION'
          ? await this.snapshots.preview(organisationId, listId, id, PREVIEW)
          : [],
      round: await this.rounds.ofSnapshot(organisationId, id),
    };
  }
}
