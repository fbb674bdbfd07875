import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry, type Actor } from '../audit/index.js';
import { CustomersService } from '../customers/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Settings } from '../config/index.js';
import type { SenderRules } from '../http/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { BlindIndex, type SubjectRef } from '../privacy/index.js';
import { ArtifactCodec } from './artifact-codec.js';
import { ArtifactFiles, type StagedFile } from './artifact-files.js';
import { dayOf, keyOf } from './artifact-store.js';
import {
  DEFAULT_LIMITS,
  type ArtifactDescription,
  type ArtifactFacts,
  type ArtifactLimits,
  type ArtifactMimeType,
  type ArtifactOwner,
  type KnownArtifact,
  type NamedPlace,
} from './domain/artifact.js';
import { agrees, sniff, SNIFF_BYTES } from './domain/file-type.js';
import { FileReader } from './file-reader.js';
import { IntakePace } from './intake-pace.js';
import type { Inspected } from './inspection.js';
import { readUpload, type UploadFields } from './multipart.js';
import { ArtifactRepository, type ArtifactRow, type NewArtifact } from './store/artifact.repository.js';
import { UploadMetrics } from './upload-metrics.js';

/** For whom a file is received, and what of it. */
export interface Receiving {
  readonly organisationId: string;
  readonly owner: ArtifactOwner;
  /** The person whose key seals the file: destroying that key erases it. */
  readonly subject: SubjectRef;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** To whose dossier it is linked; an unknown one leaves it unlinked with the reason CUSTOMER_NOT_FOUND. */
  readonly customerId: string | null;
  readonly limits?: Partial<ArtifactLimits>;
  /** What the parts beside the file make of it; throws a DomainError to refuse the upload. */
  readonly describe: (fields: UploadFields) => ArtifactDescription | Promise<ArtifactDescription>;
  /** Runs first in the transaction that stores the artifact; throws to refuse it (the owner has ended meanwhile). */
  readonly admit?: (tx: Tx) => Promise<void>;
  /** Runs in the same transaction when the artifact could not be linked to the dossier it was meant for. */
  readonly unlinked?: (tx: Tx) => Promise<void>;
}

export interface Received {
  readonly artifact: KnownArtifact & { readonly facts: ArtifactFacts };
  /** Whether the owner had the same content at the same place already; nothing was stored then. */
  readonly duplicate: boolean;
}

interface Taken {
  readonly file: StagedFile;
  readonly mimeType: ArtifactMimeType;
  readonly sizeBytes: number;
  readonly sha256: string;
}

// At the pace of the intake so many still come four times faster than the slowest that is borne. A slow one holds about
// 300 KiB of memory; more at once are told to come again.
const MOST_AT_ONCE = 128;
// Nobody holds all places with one link; it takes no more files than that anyway.
const MOST_OF_ONE = DEFAULT_LIMITS.files;

/** Takes files in. Whatever is refused, or cut off, leaves nothing behind. */
@Injectable()
export class ArtifactIntake {
  private running = 0;
  /** How many are under way for each owner. */
  private readonly under = new Map<string, number>();
  private readonly sender: SenderRules;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly customers: CustomersService,
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly artifacts: ArtifactRepository,
    private readonly codec: ArtifactCodec,
    private readonly files: ArtifactFiles,
    private readonly reader: FileReader,
    private readonly pace: IntakePace,
    private readonly metrics: UploadMetrics,
    settings: Settings,
  ) {
    this.sender = {
      minBytesPerSecond: settings.uploadMinBytesPerSecond,
      windowMs: settings.uploadRateWindowMs,
      totalMs: settings.uploadTimeoutMs,
    };
  }

  /**
   * Reads one file from a request of `multipart/form-data` and stores it. Throws VALIDATION_FAILED,
   * MEDIA_TYPE_UNSUPPORTED, FILE_TYPE_UNSUPPORTED, FILE_TOO_LARGE, TOO_MANY_ARTIFACTS, REQUEST_TIMEOUT (the sender hung
   * up or was too slow), OVERLOADED, and what `describe` and `admit` throw.
   */
  async receive(request: IncomingMessage, receiving: Receiving): Promise<Received> {
    const leave = this.enter(receiving.owner);
    const staged: StagedFile[] = [];
    try {
      const received = await this.take(request, receiving, staged);
      if (received.duplicate) this.metrics.duplicate();
      else this.metrics.stored(received.artifact.sizeBytes);
      return received;
    } catch (error) {
      this.metrics.refused(error);
      throw error;
    } finally {
      leave();
      for (const file of staged) await this.files.discard(file);
    }
  }

  /** Takes one of the places; throws OVERLOADED. Returns how to give it back. */
  private enter({ type, id }: ArtifactOwner): () => void {
    const owner = `${type}:${id}`;
    const own = this.under.get(owner) ?? 0;
    if (this.running >= MOST_AT_ONCE || own >= MOST_OF_ONE) {
      throw new DomainError('OVERLOADED', { retryAfterSeconds: 2 });
    }
    this.running += 1;
    this.under.set(owner, own + 1);
    return () => {
      this.running -= 1;
      const left = (this.under.get(owner) ?? 1) - 1;
      if (left === 0) this.under.delete(owner);
      else this.under.set(owner, left);
    };
  }

  private async take(
    request: IncomingMessage,
    receiving: Receiving,
    staged: StagedFile[],
  ): Promise<Received> {
    const { organisationId, owner } = receiving;
    const artifact = { id: newUuid(), organisationId };
    const limits = { ...DEFAULT_LIMITS, ...receiving.limits };
    const { fields, taken } = await readUpload(request, {
      fileBytes: limits.fileBytes,
      sender: this.sender,
      take: (content, declared) => this.stage(artifact, receiving.subject, content, declared),
      undo: ({ file }) => this.files.discard(file),
    });
    staged.push(taken.file);
    const description = await receiving.describe(fields);
    const contentIndex = this.index.of(organisationId, 'artifact', taken.sha256);
    const { documentType, side } = description;
    const place = { stepId: fields.stepId === null ? null : description.stepId, documentType, side };
    const same = await this.artifacts.findSame(null, organisationId, owner, contentIndex, place);
    if (same) return this.received(same, true);
    const inspected = await this.reader.inspect(taken.mimeType, () => this.files.readStaged(taken.file));
    const view =
      inspected.view && (await this.files.stage(artifact, 'view', receiving.subject, once(inspected.view)));
    if (view) staged.push(view);
    return this.keep({
      artifact,
      receiving,
      limits,
      description,
      place,
      taken,
      inspected,
      view,
      contentIndex,
    });
  }

  /** Seals the file as it comes, once its first bytes say that it is one of those accepted. */
  private async stage(
    artifact: { readonly id: string; readonly organisationId: string },
    subject: SubjectRef,
    content: AsyncIterable<Buffer>,
    declared: string | null,
  ): Promise<Taken> {
    const seen: { mimeType: ArtifactMimeType | null; sizeBytes: number } = { mimeType: null, sizeBytes: 0 };
    const hash = createHash('sha256');
    const { pace } = this;
    async function* checked(): AsyncGenerator<Buffer> {
      let head: Buffer = Buffer.alloc(0);
      for await (const chunk of content) {
        await pace.spend(chunk.length);
        hash.update(chunk);
        seen.sizeBytes += chunk.length;
        if (seen.mimeType !== null) {
          yield chunk;
          continue;
        }
        head = Buffer.concat([head, chunk]);
        if (head.length < SNIFF_BYTES) continue;
        seen.mimeType = recognised(head, declared);
        yield head;
      }
      if (seen.mimeType === null) recognised(head, declared);
    }
    const file = await this.files.stage(artifact, 'original', subject, checked());
    const { mimeType, sizeBytes } = seen;
    if (mimeType === null) throw new Error('a file without a type was staged');
    return { file, mimeType, sizeBytes, sha256: hash.digest('hex') };
  }

  private async keep(kept: {
    readonly artifact: { readonly id: string; readonly organisationId: string };
    readonly receiving: Receiving;
    readonly limits: ArtifactLimits;
    readonly description: ArtifactDescription;
    readonly place: NamedPlace;
    readonly taken: Taken;
    readonly inspected: Inspected;
    readonly view: StagedFile | null;
    readonly contentIndex: Buffer;
  }): Promise<Received> {
    const { artifact, receiving, limits, place, taken, view, contentIndex } = kept;
    const { organisationId, owner, admit, unlinked } = receiving;
    const { row, entry } = await this.compose(kept);
    await this.files.keep(taken.file, row.storageKey);
    if (view && row.viewKey !== null) await this.files.keep(view, row.viewKey);
    const stored = await this.whole(row, () =>
      this.uow.run(organisationId, async (tx) => {
        await admit?.(tx);
        const held = await this.artifacts.lockOwner(tx, organisationId, owner);
        const same = await this.artifacts.findSame(tx, organisationId, owner, contentIndex, place);
        if (same) return same;
        if (held.files >= limits.files || held.bytes + taken.sizeBytes > limits.totalBytes) {
          throw new DomainError('TOO_MANY_ARTIFACTS');
        }
        const inserted = await this.artifacts.insert(tx, row);
        await this.audit.append(tx, [entry]);
        if (row.unlinkedReason === 'CUSTOMER_NOT_FOUND') await unlinked?.(tx);
        return inserted;
      }),
    );
    const duplicate = stored.id !== artifact.id;
    if (duplicate) await this.removeFiles(row);
    return this.received(stored, duplicate);
  }

  /** Takes the files back when the row is refused. When it is not known whether it was stored, the sweep finds out. */
  private async whole(row: NewArtifact, work: () => Promise<ArtifactRow>): Promise<ArtifactRow> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) await this.removeFiles(row);
      throw error;
    }
  }

  private async removeFiles({ storageKey, viewKey }: NewArtifact): Promise<void> {
    await this.files.remove(storageKey);
    if (viewKey !== null) await this.files.remove(viewKey);
  }

  private async compose({
    artifact,
    receiving,
    description,
    taken,
    inspected,
    view,
    contentIndex,
  }: Parameters<ArtifactIntake['keep']>[0]): Promise<{
    readonly row: NewArtifact;
    readonly entry: ReturnType<typeof composeEntry>;
  }> {
    const { organisationId, owner, actor, subject } = receiving;
    const wanted = receiving.customerId;
    const customerId = wanted === null ? null : await this.customers.survivor(organisationId, wanted);
    const { sha256, mimeType, sizeBytes } = taken;
    const { width, height, pages, quality, barcodes } = inspected;
    const occurredAt = new Date(this.clock.now());
    const day = dayOf(occurredAt);
    const entry = composeEntry(
      {
        subject: { organisationId, type: 'artifact', id: artifact.id },
        action: 'artifact.stored',
        actor,
        requestId: receiving.requestId,
        correlationId: receiving.correlationId,
        occurredAt,
        content: {
          owner: owner.type,
          ownerId: owner.id,
          kind: description.kind,
          side: description.side,
          mimeType,
          sizeBytes,
          content: contentIndex.toString('hex'),
          customerId,
        },
      },
      CHAIN_START,
    );
    const facts: ArtifactFacts = { sha256, quality, barcodes };
    const row: NewArtifact = {
      ...artifact,
      ...description,
      ownerType: owner.type,
      ownerId: owner.id,
      mimeType,
      sizeBytes,
      width,
      height,
      pages,
      subjectIndex: subject.index,
      keyId: taken.file.keyId,
      contentIndex,
      sealed: await this.codec.sealFacts(artifact, facts, subject),
      storageKey: keyOf(artifact, day, 'original'),
      viewKey: view ? keyOf(artifact, day, 'view') : null,
      customerId,
      unlinkedReason: customerId !== null ? null : wanted === null ? 'NO_CUSTOMER' : 'CUSTOMER_NOT_FOUND',
      receivedBy: `${actor.type}:${actor.id}`,
      trailHash: entry.hash,
    };
    return { row, entry };
  }

  private async received(row: ArtifactRow, duplicate: boolean): Promise<Received> {
    const [artifact] = await this.codec.open([row]);
    // Erased between two statements: whoever sent it may as well have sent it after that.
    if (!artifact?.facts) throw new DomainError('ARTIFACT_GONE');
    return { artifact: { ...artifact, facts: artifact.facts }, duplicate };
  }
}

function recognised(head: Buffer, declared: string | null): ArtifactMimeType {
  const found = sniff(head);
  if (found === null) throw unsupported('UNKNOWN_TYPE', 'The first bytes are of none of the accepted types.');
  if (!agrees(declared, found)) throw unsupported('DECLARED_TYPE', 'The file is not what its part declares.');
  return found;
}

const unsupported = (code: string, message: string): DomainError =>
  new DomainError('FILE_TYPE_UNSUPPORTED', { details: [{ path: 'file', code, message }] });

async function* once(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
