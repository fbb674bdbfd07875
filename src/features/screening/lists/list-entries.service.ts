import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, MoreThan } from 'typeorm';
import {
  SummarizeSubjects,
  summaryLine,
  type Approval,
  type SubjectSummary,
  type SummaryWords,
} from '../../approvals/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { required } from '../../../platform/kernel/index.js';
import { EntryCodec, type DecodedEntry } from './entry-codec.js';
import { ScreeningListsService } from './screening-lists.service.js';
import type { ListEntry } from '../domain/lists/list-entry.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';
import {
  ScreeningEntryEntity,
  ScreeningListEntity,
  ScreeningRoundEntity,
  ScreeningSnapshotEntity,
} from '../store/entities.js';
import { SnapshotRepository } from '../store/snapshot.repository.js';

const PREVIEW = 100;

/** An entry that a waiting import changes, by the name that the list gives it. */
interface ChangedEntry {
  readonly key: string;
  readonly change: 'ADDED' | 'CHANGED' | 'REMOVED';
  readonly name: string;
}

const CHANGES: Readonly<Record<ChangedEntry['change'], SummaryWords>> = {
  ADDED: { 'pt-BR': 'Entra na lista', en: 'Comes onto the list' },
  CHANGED: { 'pt-BR': 'Muda na lista', en: 'Changes on the list' },
  REMOVED: { 'pt-BR': 'Sai da lista', en: 'Leaves the list' },
};
const LIST: SummaryWords = { 'pt-BR': 'Lista', en: 'List' };
// The number of names that an approver reads at a glance; the request has the counts.
const NAMED = 20;

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
    readonly preview: readonly ChangedEntry[];
    readonly round: ScreeningRoundEntity | null;
  }> {
    return {
      preview:
        status === 'AWAITING_CONFIRMATION' ? await this.readChanges(organisationId, listId, id, PREVIEW) : [],
      round: await this.uow.read(organisationId, (db) =>
        db.findOneBy(ScreeningRoundEntity, { organisationId, snapshotId: id }),
      ),
    };
  }

  /** Names the list of a request, and of an import that waits the entries that come, change and leave. */
  @SummarizeSubjects('screening_list')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('screening:read')) return new Map();
    const summaries = new Map<string, Partial<SubjectSummary>>();
    for (const { id, act, subjectId } of approvals) {
      const snapshot = act === 'list.import' ? await this.findSnapshot(organisationId, subjectId) : null;
      const listId = snapshot?.listId ?? subjectId;
      const list = await this.uow.read(organisationId, (db) =>
        db.findOneBy(ScreeningListEntity, { organisationId, id: listId }),
      );
      if (!list) continue;
      const changes =
        snapshot?.status === 'AWAITING_CONFIRMATION'
          ? await this.readChanges(organisationId, listId, snapshot.id, NAMED)
          : [];
      summaries.set(id, {
        lines: [
          summaryLine(LIST, null, list.name),
          ...changes.map(({ change, name }) =>
            change === 'REMOVED'
              ? summaryLine(CHANGES[change], name, null)
              : summaryLine(CHANGES[change], null, name),
          ),
        ],
      });
    }
    return summaries;
  }

  private findSnapshot(organisationId: string, id: string): Promise<SnapshotRow | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningSnapshotEntity, { organisationId, id }),
    );
  }

  private async readChanges(
    organisationId: string,
    listId: string,
    snapshotId: string,
    limit: number,
  ): Promise<ChangedEntry[]> {
    const rows = await this.snapshots.preview(organisationId, listId, snapshotId, limit);
    const contents = await this.codec.decodeContents(organisationId, rows);
    return rows.map(({ key, change }, i) => {
      const entry = JSON.parse(required(contents[i], 'the content of an entry')) as ListEntry;
      return { key, change, name: entry.names[0] ?? key };
    });
  }
}
