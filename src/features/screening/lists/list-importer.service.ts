import { Injectable, Logger } from '@nestjs/common';
import { ApplyAct, ApprovalsService, CurrentValues } from '../../approvals/index.js';
import type { Approval, ChangedValues } from '../../approvals/index.js';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { raiseStatementTimeout, lockRow, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid, orThrow } from '../../../platform/kernel/index.js';
import { WorkThrottle } from '../../../platform/kernel/work/long-work.js';
import { quotaExceeded, Quotas } from '../../../platform/quotas/index.js';
import { dateOfFile } from '../domain/lists/file-date.js';
import { FormatMismatchError } from '../../../platform/kernel/csv/csv-table.js';
import {
  reasonAgainstFirstImport,
  reasonAgainstChanges,
  SHRINK_DAYS,
  approvalReasonOfImport,
} from '../domain/lists/weakening.js';
import { readEntries } from '../domain/lists/list-formats.js';
import type { Bytes } from '../../../platform/kernel/csv/decode-text.js';
import { EntryCodec } from './entry-codec.js';
import {
  confirmCurrent,
  countBytes,
  failAbandonedImport,
  importFiguresOf,
  concludeImport,
  NO_FIGURES,
  notWaitingError,
  ReadFile,
  type ImportFigures,
  columnsOf,
} from './import-states.js';
import { ScreeningRoundsService } from '../hits/screening-rounds.service.js';
import type { ListRow, UnreadableField, SnapshotRow } from '../domain/records.js';
import {
  ScreeningListEntity,
  ScreeningSnapshotEntity,
  ScreeningStagedEntryEntity,
} from '../store/entities.js';
import { SnapshotRepository, type StagedEntry } from '../store/snapshot.repository.js';

/** The source of an import: the file and, for OFAC, the file of aliases. */
export interface ImportSource {
  readonly main: Bytes;
  readonly aliases?: Bytes | undefined;
  readonly bytesTotal: number | null;
}

export interface ImportOptions {
  /**
   * Which imports wait for a confirmation. ALWAYS: all; ON_SHRINK: if they shrink or weaken a list, or are its first
   * import; NEVER: none.
   */
  readonly confirmation: 'ALWAYS' | 'ON_SHRINK' | 'NEVER';
  readonly onProgress?: (bytesRead: number, entries: number) => void;
}

const BATCH = 500;
const REPORTED = 1_000;
const PROGRESS_EVERY_MS = 500;
const MAX_TURN_MS = 8;

type ReadFigures = Pick<
  ScreeningSnapshotEntity,
  'lines' | 'entries' | 'names' | 'linesMerged' | 'linesBroken' | 'fieldsDropped'
> & {
  readonly broken: UnreadableField[];
  readonly dropped: UnreadableField[];
  bytesRead: number;
};
/**
 * Reads a file as the next snapshot of a list, in constant memory. Each line is an entry, merged with one, or broken;
 * unreadable lines and fields are reported. The list changes in one commit at the end, or not at all.
 */
@Injectable()
export class ListImporterService {
  private readonly logger = new Logger(ListImporterService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly snapshots: SnapshotRepository,
    private readonly codec: EntryCodec,
    private readonly rounds: ScreeningRoundsService,
    private readonly approvals: ApprovalsService,
    private readonly quotas: Quotas,
  ) {}

  /** Starts an import. A list has at most one running. */
  async startImport(ctx: ActorContext, list: ListRow, bytesTotal: number | null): Promise<SnapshotRow> {
    const { organisationId } = ctx;
    const id = newUuid();
    return this.uow.run(organisationId, async (tx) => {
      await failAbandonedImport(tx, organisationId, list.id);
      await tx
        .createQueryBuilder()
        .insert()
        .into(ScreeningSnapshotEntity)
        .values({
          id,
          organisationId,
          listId: list.id,
          status: 'READING',
          bytesTotal: bytesTotal === null ? null : String(bytesTotal),
          requestedBy: formatActor(ctx),
        })
        .orIgnore()
        .execute();
      const startedSnapshot = await tx.findOneBy(ScreeningSnapshotEntity, { id, organisationId });
      if (!startedSnapshot) {
        throw conflict('', 'IMPORT_OPEN', 'Another import of this list is not finished.');
      }
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'screening_list', list.id, 'list.import_begun', this.now(), {
          key: list.key,
          snapshotId: id,
        }),
      );
      return startedSnapshot;
    });
  }

  /** Reads the file of a started import, and publishes the snapshot or records why not. */
  async runImport(
    ctx: ActorContext,
    list: ListRow,
    snapshotId: string,
    source: ImportSource,
    options: ImportOptions,
  ): Promise<SnapshotRow> {
    const file = new ReadFile();
    const reading: ReadFigures = {
      ...{ bytesRead: 0, lines: 0, entries: 0, names: 0, linesMerged: 0, linesBroken: 0, fieldsDropped: 0 },
      ...{ broken: [], dropped: [] },
    };
    try {
      await this.readFile(list, snapshotId, source, reading, file, options.onProgress);
      await this.conclude(ctx, list, snapshotId, reading, file, options);
    } catch (error) {
      const reason =
        error instanceof FormatMismatchError
          ? 'NOT_THIS_FORMAT'
          : error instanceof DomainError && error.code === 'QUOTA_EXCEEDED'
            ? error.code
            : 'READING_FAILED';
      // The error message may quote the file, so only the name is logged.
      if (reason === 'READING_FAILED') {
        this.logger.warn(`an import failed: ${error instanceof Error ? error.name : 'unknown error'}`);
      }
      await this.uow.run(list.organisationId, async (tx) => {
        const failed = { status: 'FAILED', reason, ...columnsOf(error) } as const;
        await this.storeResult(tx, ctx, list, { id: snapshotId, ...reading }, failed);
        await tx.delete(ScreeningStagedEntryEntity, { snapshotId });
      });
    }
    return this.get(list.organisationId, list.id, snapshotId);
  }

  /** Requests the publication of a waiting snapshot. */
  async request(ctx: ActorContext, list: ListRow, snapshotId: string, reason: string): Promise<Approval> {
    const { status, added, changed, removed, entries } = await this.get(
      ctx.organisationId,
      list.id,
      snapshotId,
    );
    if (status !== 'AWAITING_CONFIRMATION') throw notWaitingError();
    const after = { list: list.key, status: 'PUBLISHED', entries, added, changed, removed };
    const before = { status, entries: list.entries, sequence: list.sequence };
    return this.uow.run(ctx.organisationId, (tx) =>
      this.approvals.request(tx, ctx, { act: 'list.import', subjectId: snapshotId, before, after, reason }),
    );
  }

  /** Includes the sequence of the list: an import since the request changes the difference that was approved. */
  @CurrentValues('list.import')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { list, snapshot } = await this.lockListOf(tx, organisationId, subjectId);
    return { status: snapshot.status, entries: list.entries, sequence: list.sequence };
  }

  @ApplyAct('list.import')
  async confirm(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId, singleControl } = approval;
    const { list } = await this.lockListOf(tx, organisationId, subjectId);
    await this.publish(tx, ctx, list, await this.decide(tx, ctx, list, subjectId, 'PUBLISHED'));
    const alone = { importSingleControl: singleControl };
    await tx.update(ScreeningListEntity, { organisationId, id: list.id }, alone);
  }

  /** Discards a waiting snapshot. */
  async reject(ctx: ActorContext, list: ListRow, snapshotId: string): Promise<SnapshotRow> {
    await this.uow.run(ctx.organisationId, async (tx) => {
      const decided = await this.decide(tx, ctx, list, snapshotId, 'REJECTED');
      await this.approvals.supersede(tx, ctx, 'list.import', snapshotId);
      await tx.delete(ScreeningStagedEntryEntity, { snapshotId });
      await this.audit.record(
        tx,
        auditDraftOf(
          ctx,
          'screening_list',
          list.id,
          'list.import_rejected',
          this.now(),
          importFiguresOf(list, decided),
        ),
      );
    });
    return this.get(ctx.organisationId, list.id, snapshotId);
  }

  async get(organisationId: string, listId: string, id: string): Promise<SnapshotRow> {
    return orThrow(
      await this.uow.read(organisationId, (db) =>
        db.findOneBy(ScreeningSnapshotEntity, { organisationId, listId, id }),
      ),
      'IMPORT_NOT_FOUND',
    );
  }

  private async readFile(
    list: ListRow,
    snapshotId: string,
    source: ImportSource,
    reading: ReadFigures,
    file: ReadFile,
    onProgress: ImportOptions['onProgress'],
  ): Promise<void> {
    await this.codec.prepare(list.organisationId);
    const countingBytes = (bytes: Bytes): Bytes => countBytes(bytes, reading, file);
    const files = {
      main: countingBytes(source.main),
      ...(source.aliases ? { aliases: countingBytes(source.aliases) } : {}),
    };
    const most = (await this.quotas.limitsOf(list.organisationId)).listEntries;
    const entriesOfOthers = (await this.snapshots.countEntries(list.organisationId)) - list.entries;
    let batch: StagedEntry[] = [];
    let reportedAt = performance.now();
    let reported = 0;
    const flush = async (): Promise<void> => {
      const staged = batch;
      batch = [];
      if (entriesOfOthers + reading.entries + staged.length > most) throw quotaExceeded('listEntries', most);
      await this.uow.run(list.organisationId, async (tx) => {
        reading.entries +=
          staged.length === 0 ? 0 : await this.snapshots.stage(tx, list.organisationId, snapshotId, staged);
        const { broken, dropped, ...figures } = reading;
        // The up to 1,000 reported places of each kind are written only if places were added.
        const refused = broken.length + dropped.length > reported ? { broken, dropped } : {};
        await tx.update(
          ScreeningSnapshotEntity,
          { id: snapshotId, status: 'READING' },
          { ...figures, ...refused, bytesRead: String(reading.bytesRead), touchedAt: () => 'now()' },
        );
      });
      reported = reading.broken.length + reading.dropped.length;
      onProgress?.(reading.bytesRead, reading.entries);
      reportedAt = performance.now();
    };
    let turn = performance.now();
    const throttle = new WorkThrottle(list.organisationId);
    for await (const record of readEntries(list.format, files)) {
      reading.lines += 'merged' in record ? record.merged : 1;
      if ('problem' in record) {
        const { line, column = null, problem } = record;
        reading.linesBroken += 1;
        if (reading.broken.length < REPORTED) reading.broken.push({ line, column, problem });
      } else if ('merged' in record) {
        reading.linesMerged += record.merged;
      } else {
        reading.names += record.value.names.length;
        reading.fieldsDropped += record.dropped.length;
        reading.dropped.push(...record.dropped.slice(0, REPORTED - reading.dropped.length));
        batch.push(this.codec.encode(list.organisationId, list.kind, newUuid(), record.value));
      }
      if (batch.length >= BATCH || performance.now() - reportedAt > PROGRESS_EVERY_MS) {
        await flush();
        await throttle.rest();
      }
      if (performance.now() - turn < MAX_TURN_MS) continue;
      // Yields to the event loop, so that an import does not delay other requests.
      await new Promise<void>((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
    await flush();
  }

  private async conclude(
    ctx: ActorContext,
    list: ListRow,
    snapshotId: string,
    reading: ReadFigures,
    file: ReadFile,
    { confirmation }: ImportOptions,
  ): Promise<void> {
    const before = list.entries;
    const sha256 = file.digest();
    await this.uow.run(list.organisationId, async (tx) => {
      // Comparing and publishing a million entries takes longer than a request may.
      await raiseStatementTimeout(tx, 10);
      const difference = await this.snapshots.compareWithPublished(tx, list.id, snapshotId);
      const { added, changed, removed } = difference;
      const unchanged = added + changed + removed === 0;
      const recentlyLost = await this.snapshots.countLostNames(tx, list.id, SHRINK_DAYS);
      const weakens = approvalReasonOfImport(list, difference, recentlyLost);
      const byOperator = ctx.actor.type === 'operator';
      const why =
        weakens ??
        (byOperator ? (reasonAgainstFirstImport(list) ?? reasonAgainstChanges(list, difference)) : null);
      const waits = confirmation === 'ALWAYS' || (confirmation === 'ON_SHRINK' && why !== null);
      const [status, reason]: [SnapshotRow['status'], string | null] =
        reading.entries === 0 && before === 0
          ? ['FAILED', 'NO_ENTRIES']
          : unchanged
            ? ['UNCHANGED', null]
            : waits
              ? ['AWAITING_CONFIRMATION', why ?? 'PREVIEW']
              : ['PUBLISHED', weakens];
      const fileDatedAt = dateOfFile(list.format, file.head, this.now());
      const conclusion = { status, reason, sha256, fileDatedAt, ...difference };
      await this.storeResult(tx, ctx, list, { id: snapshotId, ...reading }, conclusion);
      if (status === 'AWAITING_CONFIRMATION') return;
      if (status === 'UNCHANGED') await confirmCurrent(tx, list.id, fileDatedAt);
      if (status === 'PUBLISHED') {
        await this.publish(tx, ctx, list, { id: snapshotId, sha256, ...reading, ...difference });
      } else {
        await tx.delete(ScreeningStagedEntryEntity, { snapshotId });
      }
    });
  }

  /** Stores the result of reading a snapshot and audits it. `publish` audits a publication itself. */
  private async storeResult(
    tx: Tx,
    ctx: ActorContext,
    list: ListRow,
    read: ReadFigures & { readonly id: string },
    judged: Partial<SnapshotRow>,
  ): Promise<void> {
    await concludeImport(tx, read.id, judged);
    const { status = null, reason = null, ...figures } = judged;
    if (status === 'PUBLISHED') return;
    const content = { ...importFiguresOf(list, { ...NO_FIGURES, ...read, ...figures }), status, reason };
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'screening_list', list.id, 'list.import_read', this.now(), content),
    );
  }

  private async publish(tx: Tx, ctx: ActorContext, list: ListRow, snapshot: ImportFigures): Promise<void> {
    await raiseStatementTimeout(tx, 10);
    const published = await this.snapshots.publish(tx, list.id, snapshot.id);
    const content = { ...importFiguresOf(list, snapshot), ...published };
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'screening_list', list.id, 'list.import_published', this.now(), content),
    );
    // Removed entries produce no hits.
    if ((snapshot.added ?? 0) + (snapshot.changed ?? 0) > 0) {
      await this.rounds.startRound(tx, list, snapshot.id, published.sequence);
    }
  }

  /** Returns an import and its list, which is locked. */
  private async lockListOf(
    tx: Tx,
    organisationId: string,
    id: string,
  ): Promise<{ list: ScreeningListEntity; snapshot: SnapshotRow }> {
    const snapshot = await tx.findOneBy(ScreeningSnapshotEntity, { organisationId, id });
    const list =
      snapshot && (await lockRow(tx, ScreeningListEntity, { organisationId, id: snapshot.listId }));
    if (!list) throw new DomainError('IMPORT_NOT_FOUND');
    return { list, snapshot };
  }

  /** Publishes or rejects a snapshot that waits for approval. Throws STATE_CONFLICT if it is decided already. */
  private async decide(
    tx: Tx,
    ctx: ActorContext,
    { organisationId, id: listId }: ListRow,
    id: string,
    status: 'PUBLISHED' | 'REJECTED',
  ): Promise<SnapshotRow> {
    const snapshotKey = { organisationId, listId, id };
    const { affected } = await tx.update(
      ScreeningSnapshotEntity,
      { ...snapshotKey, status: 'AWAITING_CONFIRMATION' },
      { status, decidedBy: formatActor(ctx), endedAt: () => 'now()' },
    );
    const snapshot = orThrow(await tx.findOneBy(ScreeningSnapshotEntity, snapshotKey), 'IMPORT_NOT_FOUND');
    if (affected === 0) throw notWaitingError();
    return snapshot;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
