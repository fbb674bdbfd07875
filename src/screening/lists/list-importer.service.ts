import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type ActorContext, AuditTrail, nameOfActor, stepOf } from '../../audit/index.js';
import { allowMinutes, UnitOfWork, type Tx } from '../../database/index.js';
import { Clock, DomainError, newUuid } from '../../kernel/index.js';
import { NotThisFormat } from '../domain/lists/list-values.js';
import { readEntries } from '../domain/lists/list-formats.js';
import type { Bytes } from '../domain/lists/text-records.js';
import { EntryCodec } from './entry-codec.js';
import { Rounds } from '../hits/rounds.service.js';
import type { BrokenLine, ListRow, SnapshotRow, SnapshotStatus } from '../domain/records.js';
import { SnapshotRepository, type StagedEntry } from '../store/snapshot.repository.js';

/** The source of an import: the file, and for OFAC the file of aliases. */
export interface ImportSource {
  readonly main: Bytes;
  readonly aliases?: Bytes | undefined;
  readonly bytesTotal: number | null;
}

export interface ImportOptions {
  /** ALWAYS: nothing is published before somebody has looked. ON_SHRINK: only a list that loses much waits. NEVER: what it says. */
  readonly confirmation: 'ALWAYS' | 'ON_SHRINK' | 'NEVER';
  readonly onProgress?: (bytesRead: number, entries: number) => void;
}

// A list that loses more than this share of its entries has more likely lost half its file.
const SHRINK_LIMIT = 0.2;
const BATCH = 500;
const BROKEN_SHOWN = 200;
const PROGRESS_EVERY_MS = 500;
const MAX_TURN_MS = 8;
// An import says every half second that it is alive.
const ABANDONED_AFTER_SECONDS = 60;

interface Reading {
  bytesRead: number;
  entries: number;
  names: number;
  linesBroken: number;
  readonly broken: BrokenLine[];
}

/**
 * Reads a file as the next snapshot of a list: entry by entry, whatever its size. Lines that cannot be read are counted
 * and reported, the others are imported. The list changes in one commit at the end, or not at all.
 */
@Injectable()
export class ListImporter {
  private readonly logger = new Logger(ListImporter.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly snapshots: SnapshotRepository,
    private readonly codec: EntryCodec,
    private readonly rounds: Rounds,
  ) {}

  /** Opens the import; a list has one at a time. */
  async begin(ctx: ActorContext, list: ListRow, bytesTotal: number | null): Promise<SnapshotRow> {
    const { organisationId } = ctx;
    const id = newUuid();
    await this.uow.run(organisationId, async (tx) => {
      await this.snapshots.failAbandoned(tx, organisationId, list.id, ABANDONED_AFTER_SECONDS);
      const requestedBy = nameOfActor(ctx);
      const opened = await this.snapshots.open(tx, {
        id,
        organisationId,
        listId: list.id,
        requestedBy,
        bytesTotal,
      });
      if (!opened) {
        throw new DomainError('STATE_CONFLICT', {
          details: [
            { path: '', code: 'IMPORT_OPEN', message: 'Another import of this list is not finished.' },
          ],
        });
      }
      await this.audit.record(tx, [
        stepOf(ctx, 'screening_list', list.id, 'list.import_begun', this.now(), {
          key: list.key,
          snapshotId: id,
        }),
      ]);
    });
    return this.get(organisationId, list.id, id);
  }

  /** Reads the file of an import that was begun, and publishes it or says why not. */
  async run(
    ctx: ActorContext,
    list: ListRow,
    snapshotId: string,
    source: ImportSource,
    options: ImportOptions,
  ): Promise<SnapshotRow> {
    const sha256 = createHash('sha256');
    const reading: Reading = { bytesRead: 0, entries: 0, names: 0, linesBroken: 0, broken: [] };
    try {
      await this.read(list, snapshotId, source, reading, sha256, options.onProgress);
      await this.conclude(ctx, list, snapshotId, reading, sha256.digest(), options);
    } catch (error) {
      const reason = error instanceof NotThisFormat ? 'NOT_THIS_FORMAT' : 'READING_FAILED';
      // The message may quote the file.
      if (reason === 'READING_FAILED') {
        this.logger.warn(`an import failed: ${error instanceof Error ? error.name : 'unknown error'}`);
      }
      await this.end(list.organisationId, snapshotId, 'FAILED', reason, null);
    }
    return this.get(list.organisationId, list.id, snapshotId);
  }

  /** Publishes a snapshot that waits for it. */
  async confirm(ctx: ActorContext, list: ListRow, snapshotId: string): Promise<SnapshotRow> {
    await this.uow.run(ctx.organisationId, async (tx) => {
      const by = nameOfActor(ctx);
      const decided = await this.snapshots.decide(
        tx,
        ctx.organisationId,
        list.id,
        snapshotId,
        'PUBLISHED',
        by,
      );
      if (!decided) throw await this.notWaiting(ctx, list, snapshotId);
      await this.publish(tx, ctx, list, decided);
    });
    return this.get(ctx.organisationId, list.id, snapshotId);
  }

  /** Throws a snapshot that waits away. */
  async reject(ctx: ActorContext, list: ListRow, snapshotId: string): Promise<SnapshotRow> {
    await this.uow.run(ctx.organisationId, async (tx) => {
      const by = nameOfActor(ctx);
      const decided = await this.snapshots.decide(
        tx,
        ctx.organisationId,
        list.id,
        snapshotId,
        'REJECTED',
        by,
      );
      if (!decided) throw await this.notWaiting(ctx, list, snapshotId);
      await this.snapshots.unstage(tx, snapshotId);
      await this.audit.record(tx, [
        stepOf(ctx, 'screening_list', list.id, 'list.import_rejected', this.now(), figuresOf(list, decided)),
      ]);
    });
    return this.get(ctx.organisationId, list.id, snapshotId);
  }

  async get(organisationId: string, listId: string, id: string): Promise<SnapshotRow> {
    const snapshot = await this.snapshots.find(organisationId, listId, id);
    if (!snapshot) throw new DomainError('IMPORT_NOT_FOUND');
    return snapshot;
  }

  private async read(
    list: ListRow,
    snapshotId: string,
    source: ImportSource,
    reading: Reading,
    sha256: ReturnType<typeof createHash>,
    onProgress: ImportOptions['onProgress'],
  ): Promise<void> {
    await this.codec.prepare(list.organisationId);
    const counted = (bytes: Bytes): Bytes => countBytes(bytes, reading, sha256);
    const files = {
      main: counted(source.main),
      ...(source.aliases ? { aliases: counted(source.aliases) } : {}),
    };
    let batch: StagedEntry[] = [];
    let told = performance.now();
    const flush = async (): Promise<void> => {
      const staged = batch;
      batch = [];
      await this.uow.run(list.organisationId, async (tx) => {
        reading.entries +=
          staged.length === 0 ? 0 : await this.snapshots.stage(tx, list.organisationId, snapshotId, staged);
        await this.snapshots.progress(tx, snapshotId, reading);
      });
      onProgress?.(reading.bytesRead, reading.entries);
      told = performance.now();
    };
    let turn = performance.now();
    for await (const read of readEntries(list.format, files)) {
      if ('problem' in read) {
        reading.linesBroken += 1;
        if (reading.broken.length < BROKEN_SHOWN) {
          reading.broken.push({ line: read.line, problem: read.problem });
        }
      } else {
        reading.names += read.value.names.length;
        batch.push(this.codec.encode(list.organisationId, list.kind, newUuid(), read.value));
      }
      if (batch.length >= BATCH || performance.now() - told > PROGRESS_EVERY_MS) await flush();
      if (performance.now() - turn < MAX_TURN_MS) continue;
      // An import that takes every turn of the event loop would be felt by everybody else.
      await new Promise<void>((resolve) => setImmediate(resolve));
      turn = performance.now();
    }
    await flush();
  }

  private async conclude(
    ctx: ActorContext,
    list: ListRow,
    snapshotId: string,
    reading: Reading,
    sha256: Buffer,
    { confirmation }: ImportOptions,
  ): Promise<void> {
    const before = list.entries;
    await this.uow.run(list.organisationId, async (tx) => {
      // Comparing and publishing a million entries takes longer than a request may.
      await allowMinutes(tx, 10);
      const difference = await this.snapshots.difference(tx, list.id, snapshotId);
      const { added, changed, removed } = difference;
      const unchanged = added + changed + removed === 0;
      const shrinks = before > 0 && removed > before * SHRINK_LIMIT;
      const waits = confirmation === 'ALWAYS' || (confirmation === 'ON_SHRINK' && shrinks);
      const [status, reason]: [SnapshotStatus, string | null] =
        reading.entries === 0 && before === 0
          ? ['FAILED', 'NO_ENTRIES']
          : unchanged
            ? ['UNCHANGED', null]
            : waits
              ? ['AWAITING_CONFIRMATION', shrinks ? 'LIST_SHRINKS' : 'PREVIEW']
              : ['PUBLISHED', null];
      await this.snapshots.judged(tx, snapshotId, { status, reason, sha256, difference });
      if (status === 'AWAITING_CONFIRMATION') return;
      if (status === 'UNCHANGED') await this.snapshots.refresh(tx, list.id);
      if (status !== 'PUBLISHED') {
        await this.snapshots.unstage(tx, snapshotId);
        return;
      }
      await this.publish(tx, ctx, list, {
        id: snapshotId,
        sha256: sha256.toString('hex'),
        entries: reading.entries,
        linesBroken: reading.linesBroken,
        ...difference,
      });
    });
  }

  private async publish(
    tx: Tx,
    ctx: ActorContext,
    list: ListRow,
    snapshot: Pick<
      SnapshotRow,
      'id' | 'sha256' | 'entries' | 'linesBroken' | 'added' | 'changed' | 'removed'
    >,
  ): Promise<void> {
    await allowMinutes(tx, 10);
    const sequence = await this.snapshots.publish(tx, list.id, snapshot.id);
    await this.audit.record(tx, [
      stepOf(ctx, 'screening_list', list.id, 'list.import_published', this.now(), {
        ...figuresOf(list, snapshot),
        sequence,
      }),
    ]);
    // An entry that left the list makes nobody a hit.
    if ((snapshot.added ?? 0) + (snapshot.changed ?? 0) > 0) {
      await this.rounds.open(tx, list, snapshot.id, sequence);
    }
  }

  private async end(
    organisationId: string,
    snapshotId: string,
    status: SnapshotStatus,
    reason: string,
    sha256: Buffer | null,
  ): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      await this.snapshots.judged(tx, snapshotId, { status, reason, sha256, difference: null });
      await this.snapshots.unstage(tx, snapshotId);
    });
  }

  private async notWaiting(ctx: ActorContext, list: ListRow, snapshotId: string): Promise<DomainError> {
    await this.get(ctx.organisationId, list.id, snapshotId);
    return new DomainError('STATE_CONFLICT', {
      details: [{ path: '', code: 'NOT_WAITING', message: 'This import does not wait for a confirmation.' }],
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

const figuresOf = (
  list: ListRow,
  {
    id,
    sha256,
    entries,
    linesBroken,
    added,
    changed,
    removed,
  }: Pick<SnapshotRow, 'id' | 'sha256' | 'entries' | 'linesBroken' | 'added' | 'changed' | 'removed'>,
): Record<string, string | number | null> => ({
  key: list.key,
  snapshotId: id,
  sha256,
  entries,
  linesBroken,
  added,
  changed,
  removed,
});

async function* countBytes(
  bytes: Bytes,
  reading: Reading,
  sha256: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    reading.bytesRead += chunk.length;
    sha256.update(chunk);
    yield chunk;
  }
}
