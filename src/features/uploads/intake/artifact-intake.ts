import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import type { SenderRules } from '../../../platform/http/index.js';
import { DomainError, errorAt, newUuid } from '../../../platform/kernel/index.js';
import { BlindIndex, type SubjectRef } from '../../../platform/privacy/index.js';
import { ArtifactFiles, type StagedFile } from '../storage/artifact-files.js';
import { DEFAULT_LIMITS, type ArtifactMimeType, type ArtifactRef } from '../domain/artifact.js';
import { isHeic, detectMimeType, SNIFF_BYTES } from '../domain/file-type.js';
import { FileReader } from './file-reader.js';
import { UploadPace } from './intake-pace.js';
import { readUpload } from './multipart.js';
import {
  ArtifactStorage,
  type UploadResult,
  type UploadRequest,
  type StagedUpload,
} from './artifact-storage.js';
import { ArtifactRepository } from '../store/artifact.repository.js';
import { UploadMetrics } from '../upload-metrics.js';

// With this many concurrent uploads, `UploadPace` still gives each four times the slowest accepted rate. A slow upload
// uses about 300 KiB of memory. Further uploads get OVERLOADED.
const MAX_AT_ONCE = 128;
// Keeps one owner from using all slots; an owner may not have more files than this anyway.
const MAX_OF_ONE_OWNER = DEFAULT_LIMITS.files;

/** Receives uploads. A refused or aborted upload leaves nothing behind. */
@Injectable()
export class ArtifactIntake {
  private running = 0;
  /** The number of running uploads of each owner and each organisation. */
  private readonly runningByKey = new Map<string, number>();
  private readonly senderRules: SenderRules;

  constructor(
    private readonly index: BlindIndex,
    private readonly artifacts: ArtifactRepository,
    private readonly artifactStorage: ArtifactStorage,
    private readonly files: ArtifactFiles,
    private readonly reader: FileReader,
    private readonly pace: UploadPace,
    private readonly metrics: UploadMetrics,
    settings: Settings,
  ) {
    this.senderRules = {
      minBytesPerSecond: settings.uploadMinBytesPerSecond,
      windowMs: settings.uploadRateWindowMs,
      totalMs: settings.uploadTimeoutMs,
    };
  }

  /**
   * Reads one file from a request of `multipart/form-data` and stores it. Throws VALIDATION_FAILED,
   * MEDIA_TYPE_UNSUPPORTED, FILE_TYPE_UNSUPPORTED, FILE_TOO_LARGE, TOO_MANY_ARTIFACTS, REQUEST_TIMEOUT (the sender hung
   * up or was too slow), OVERLOADED, and the errors of `describe` and `admit`.
   */
  async receive(request: IncomingMessage, receiving: UploadRequest): Promise<UploadResult> {
    const release = this.enter(receiving);
    const staged: StagedFile[] = [];
    try {
      const received = await this.receiveStaged(request, receiving, staged);
      if (received.duplicate) this.metrics.countDuplicate();
      else this.metrics.countStored(received.artifact.sizeBytes);
      return received;
    } catch (error) {
      this.metrics.countRefused(error);
      throw error;
    } finally {
      release();
      for (const file of staged) await this.files.discard(file);
    }
  }

  /** Takes a slot and returns the function that frees it. Throws OVERLOADED. */
  private enter({ organisationId, owner: { type, id } }: UploadRequest): () => void {
    const shares = [
      { key: `${type}:${id}`, most: MAX_OF_ONE_OWNER },
      { key: organisationId, most: this.artifactStorage.maxConcurrentUploads(organisationId) },
    ];
    const isFull = shares.some(({ key, most }) => (this.runningByKey.get(key) ?? 0) >= most);
    if (this.running >= MAX_AT_ONCE || isFull) throw new DomainError('OVERLOADED', { retryAfterSeconds: 2 });
    this.running += 1;
    for (const { key } of shares) this.runningByKey.set(key, (this.runningByKey.get(key) ?? 0) + 1);
    return () => {
      this.running -= 1;
      for (const { key } of shares) {
        const remaining = (this.runningByKey.get(key) ?? 1) - 1;
        if (remaining === 0) this.runningByKey.delete(key);
        else this.runningByKey.set(key, remaining);
      }
    };
  }

  private async receiveStaged(
    request: IncomingMessage,
    receiving: UploadRequest,
    staged: StagedFile[],
  ): Promise<UploadResult> {
    const { organisationId, owner } = receiving;
    const artifact = { id: newUuid(), organisationId };
    const limits = { ...DEFAULT_LIMITS, ...receiving.limits };
    const { fields, taken } = await readUpload(request, {
      fileBytes: limits.fileBytes,
      sender: this.senderRules,
      take: (content) => this.stage(artifact, receiving.subject, content),
      undo: ({ file }) => this.files.discard(file),
    });
    staged.push(taken.file);
    const description = await receiving.describe(fields, taken.mimeType);
    const contentIndex = this.index.computeIndex(organisationId, 'artifact', taken.sha256);
    const { documentType, side } = description;
    const place = { stepId: fields.stepId === null ? null : description.stepId, documentType, side };
    const same = await this.artifacts.findSame(null, organisationId, owner, contentIndex, place);
    if (same) return this.artifactStorage.composeResult(same, true);
    const inspected = await this.reader.inspect(taken.mimeType, () => this.files.readStaged(taken.file));
    const view =
      inspected.view &&
      (await this.files.stage(artifact, 'view', receiving.subject, streamOf(inspected.view)));
    if (view) staged.push(view);
    return this.artifactStorage.store({
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

  /** Encrypts the file while it arrives. Throws FILE_TYPE_UNSUPPORTED if its first bytes are of no accepted type. */
  private async stage(
    artifact: ArtifactRef,
    subject: SubjectRef,
    content: AsyncIterable<Buffer>,
  ): Promise<StagedUpload> {
    const inspection: { mimeType: ArtifactMimeType | null; sizeBytes: number } = {
      mimeType: null,
      sizeBytes: 0,
    };
    const hash = createHash('sha256');
    const { pace } = this;
    async function* checked(): AsyncGenerator<Buffer> {
      let head: Buffer = Buffer.alloc(0);
      for await (const chunk of content) {
        await pace.spend(chunk.length);
        hash.update(chunk);
        inspection.sizeBytes += chunk.length;
        if (inspection.mimeType !== null) {
          yield chunk;
          continue;
        }
        head = Buffer.concat([head, chunk]);
        if (head.length < SNIFF_BYTES) continue;
        inspection.mimeType = requireMimeType(head);
        yield head;
      }
      if (inspection.mimeType === null) requireMimeType(head);
    }
    const file = await this.files.stage(artifact, 'original', subject, checked());
    const { mimeType, sizeBytes } = inspection;
    if (mimeType === null) throw new Error('a file without a type was staged');
    return { file, mimeType, sizeBytes, sha256: hash.digest('hex') };
  }
}

function requireMimeType(head: Buffer): ArtifactMimeType {
  const detectedType = detectMimeType(head);
  if (detectedType !== null) return detectedType;
  if (isHeic(head)) throw unsupportedError('HEIC', 'HEIC is not accepted; send the photo as JPEG.');
  throw unsupportedError(
    'UNKNOWN_TYPE',
    'The first bytes are of none of the accepted types: JPEG, PNG, WebP, PDF.',
  );
}

const unsupportedError = (code: string, message: string): DomainError =>
  errorAt('FILE_TYPE_UNSUPPORTED', 'file', code, message);

async function* streamOf(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
