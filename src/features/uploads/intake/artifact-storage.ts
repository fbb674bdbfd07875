import { Injectable } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry, type Actor } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { Quotas } from '../../../platform/quotas/index.js';
import type { SubjectRef } from '../../../platform/privacy/index.js';
import type {
  ArtifactDescription,
  ArtifactFacts,
  ArtifactLimits,
  ArtifactMimeType,
  ArtifactOwner,
  ArtifactRef,
  KnownArtifact,
  UploadTarget,
} from '../domain/artifact.js';
import { ArtifactCodec } from '../storage/artifact-codec.js';
import { ArtifactFiles, type StagedFile } from '../storage/artifact-files.js';
import { dayPrefixOf, objectKeyOf } from '../storage/artifact-store.js';
import { ArtifactRepository, type NewArtifact } from '../store/artifact.repository.js';
import type { ArtifactEntity } from '../store/entities.js';
import type { InspectedFile } from './inspection.js';
import type { UploadFields } from './multipart.js';

/** An upload request: the owner, the person, the limits and the callbacks of the module that receives it. */
export interface UploadRequest {
  readonly organisationId: string;
  readonly owner: ArtifactOwner;
  /** The person whose data key encrypts the file: destroying that key erases it. */
  readonly subject: SubjectRef;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** The customer to link the file to; if unknown, the file stays unlinked with the reason CUSTOMER_NOT_FOUND. */
  readonly customerId: string | null;
  readonly limits?: Partial<ArtifactLimits>;
  /** Maps the form fields to the description of the file; throws a DomainError to refuse the upload. */
  readonly describe: (
    fields: UploadFields,
    mimeType: ArtifactMimeType,
  ) => ArtifactDescription | Promise<ArtifactDescription>;
  /** Runs first in the storing transaction; throws to refuse the upload, for example if the session has ended. */
  readonly admit?: (tx: Tx) => Promise<void>;
  /** Runs in the same transaction when the customer to link to is unknown. */
  readonly unlinked?: (tx: Tx) => Promise<void>;
}

export interface UploadResult {
  readonly artifact: KnownArtifact & { readonly facts: ArtifactFacts };
  /** True if the owner already had the same content for the same step; then nothing was stored. */
  readonly duplicate: boolean;
}

export interface StagedUpload {
  readonly file: StagedFile;
  readonly mimeType: ArtifactMimeType;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** An inspected file with the values of its row. */
export interface InspectedUpload {
  readonly artifact: ArtifactRef;
  readonly receiving: UploadRequest;
  readonly limits: ArtifactLimits;
  readonly description: ArtifactDescription;
  readonly place: UploadTarget;
  readonly taken: StagedUpload;
  readonly inspected: InspectedFile;
  readonly view: StagedFile | null;
  readonly contentIndex: Buffer;
}

/** Stores inspected files as artifacts, unless the owner already has the same file or too many. */
@Injectable()
export class ArtifactStorage {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly customers: CustomersService,
    private readonly clock: Clock,
    private readonly artifacts: ArtifactRepository,
    private readonly codec: ArtifactCodec,
    private readonly files: ArtifactFiles,
    private readonly quotas: Quotas,
  ) {}

  /** Maximum number of concurrent uploads of an organisation in this process. */
  maxConcurrentUploads(organisationId: string): number {
    return this.quotas.cachedLimits(organisationId).uploadsInFlight;
  }

  async store(kept: InspectedUpload): Promise<UploadResult> {
    const { artifact, receiving, limits, place, taken, view, contentIndex } = kept;
    const { organisationId, owner, admit, unlinked } = receiving;
    await this.quotas.requireRoom(organisationId, 'storedBytes', taken.sizeBytes);
    const { row, entry } = await this.compose(kept);
    await this.files.moveToStore(taken.file, row.storageKey);
    if (view && row.viewKey !== null) await this.files.moveToStore(view, row.viewKey);
    const storedArtifact = await this.runOrRemoveFiles(row, () =>
      this.uow.run(organisationId, async (tx) => {
        await admit?.(tx);
        const storedTotals = await this.artifacts.lockOwner(tx, organisationId, owner);
        const same = await this.artifacts.findSame(tx, organisationId, owner, contentIndex, place);
        if (same) return same;
        if (storedTotals.files >= limits.files || storedTotals.bytes + taken.sizeBytes > limits.totalBytes) {
          throw new DomainError('TOO_MANY_ARTIFACTS');
        }
        const insertedArtifact = await this.artifacts.insert(tx, row);
        await this.audit.append(tx, [entry]);
        if (row.unlinkedReason === 'CUSTOMER_NOT_FOUND') await unlinked?.(tx);
        return insertedArtifact;
      }),
    );
    const duplicate = storedArtifact.id !== artifact.id;
    if (duplicate) await this.removeFiles(row);
    return this.composeResult(storedArtifact, duplicate);
  }

  /** Deletes the files if the row is refused. After any other error the row may be committed: the sweep checks that. */
  private async runOrRemoveFiles(
    row: NewArtifact,
    work: () => Promise<ArtifactEntity>,
  ): Promise<ArtifactEntity> {
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
  }: InspectedUpload): Promise<{
    readonly row: NewArtifact;
    readonly entry: ReturnType<typeof composeEntry>;
  }> {
    const { organisationId, owner, actor, subject } = receiving;
    const wanted = receiving.customerId;
    const customerId = wanted === null ? null : await this.customers.findSurvivingId(organisationId, wanted);
    const { sha256, mimeType, sizeBytes } = taken;
    const { width, height, pages, quality, barcodes } = inspected;
    const occurredAt = new Date(this.clock.now());
    const day = dayPrefixOf(occurredAt);
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
      storageKey: objectKeyOf(artifact, day, 'original'),
      viewKey: view ? objectKeyOf(artifact, day, 'view') : null,
      customerId,
      unlinkedReason: customerId !== null ? null : wanted === null ? 'NO_CUSTOMER' : 'CUSTOMER_NOT_FOUND',
      receivedBy: `${actor.type}:${actor.id}`,
      trailHash: entry.hash,
    };
    return { row, entry };
  }

  async composeResult(row: ArtifactEntity, duplicate: boolean): Promise<UploadResult> {
    const [artifact] = await this.codec.decryptFacts([row]);
    // The person was erased between two statements; same error as for an upload after the erasure.
    if (!artifact?.facts) throw new DomainError('ARTIFACT_GONE');
    return { artifact: { ...artifact, facts: artifact.facts }, duplicate };
  }
}
