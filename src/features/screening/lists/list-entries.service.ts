import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, MoreThan } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/index.js';
import { EntryCodec, type DecodedEntry } from './entry-codec.js';
import { ScreeningListsService } from './screening-lists.service.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';
import {
  ScreeningEntryEntity,
  ScreeningListEntity,
  ScreeningRoundEntity,
  ScreeningSnapshotEntity,
} from '../store/entities.js';
import { SnapshotRepository } from '../store/snapshot.repository.js';

const PREVIEW = 100;

/** Reads lists, entries and imports for operators. */
@Injectable()
export class ListEntriesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly lists: ScreeningListsService,
    private readonly snapshots: SnapshotRepository,
    private readonly codec: EntryCodec,
  ) {}

  async page(organisationId: string, after: string | null, take: number): Promise<ListRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ScreeningListEntity, {
        where: { organisationId, ...(after === null ? {} : { key: MoreThan(after) }) },
        order: { key: 'ASC' },
        take,
      }),
    );
  }

  async listCurrentEntries(
    organisationId: string,
    listId: string,
    after: string | null,
    take: number,
  ): Promise<DecodedEntry[]> {
    await this.lists.get(organisationId, listId);
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ScreeningEntryEntity, {
        where: { listId, toSequence: IsNull(), ...(after === null ? {} : { entryKey: MoreThan(after) }) },
        order: { entryKey: 'ASC' },
        take,
      }),
    );
    return this.codec.decodeEntries(organisationId, rows);
  }

  /** Returns the entry with this key in the snapshot in force, or null. */
  async findByKey(organisationId: string, listId: string, entryKey: string): Promise<DecodedEntry | null> {
    await this.lists.get(organisationId, listId);
    // PostgreSQL rejects U+0000, which no key contains.
    if (entryKey.includes('\0')) return null;
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(ScreeningEntryEntity, { listId, entryKey, toSequence: IsNull() }),
    );
    return (await this.codec.decodeEntries(organisationId, rows))[0] ?? null;
  }

  async findByIds(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, DecodedEntry>> {
    if (ids.length === 0) return new Map();
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(ScreeningEntryEntity, { organisationId, id: In([...ids]) }),
    );
    const entries = await this.codec.decodeEntries(organisationId, rows);
    return new Map(entries.map((read) => [read.id, read]));
  }

  async listImports(
    organisationId: string,
    listId: string,
    before: string | null,
    take: number,
  ): Promise<SnapshotRow[]> {
    await this.lists.get(organisationId, listId);
    return this.uow.read(organisationId, (db) =>
      db.find(ScreeningSnapshotEntity, {
        where: { organisationId, listId, ...(before === null ? {} : { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take,
      }),
    );
  }

  /** Returns the changes that a waiting import would make, and the round that screens the customers against it. */
  async readImportDetail({ organisationId, listId, id, status }: SnapshotRow): Promise<{
    readonly preview: { key: string; change: 'ADDED' | 'CHANGED' | 'REMOVED' }[];
    readonly round: ScreeningRoundEntity | null;
  }> {
    return {
      preview:
        status === 'AWAITING_CONFIRMATION'
          ? await this.snapshots.preview(organisationId, listId, id, PREVIEW)
          : [],
      round: await this.uow.read(organisationId, (db) =>
        db.findOneBy(ScreeningRoundEntity, { organisationId, snapshotId: id }),
      ),
    };
  }
}
