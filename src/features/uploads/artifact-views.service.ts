import { Injectable } from '@nestjs/common';
import { type ActorContext, type AuditContent, AuditTrail, auditDraftOf } from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Clock, invalid, type DomainError } from '../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../platform/privacy/index.js';
import { ArtifactsService } from './artifacts.service.js';
import type { ArtifactMimeType } from './domain/artifact.js';
import { FileReader } from './intake/file-reader.js';

/** Serves files to operators. Each access is recorded in the audit trail of the file before the first byte is sent. */
@Injectable()
export class ArtifactViewsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly artifacts: ArtifactsService,
    private readonly reader: FileReader,
  ) {}

  /** The image without metadata, or one page of a PDF as an image, rendered in the isolated child process. */
  async openView(ctx: ActorContext, id: string, page: number): Promise<AsyncIterable<Buffer>> {
    const artifact = await this.artifacts.get(ctx.organisationId, id);
    if (page > (artifact.pages ?? 1)) throw noSuchPageError();
    const storedContent = await this.artifacts.openContent(artifact, 'view');
    const content = artifact.hasView
      ? storedContent
      : partsOf(await this.reader.renderPdfPage(page, () => storedContent));
    await this.record(ctx, id, { rendition: 'view', ...(artifact.pages !== null && { page }) });
    return content;
  }

  /** The original bytes. The reason for the access is encrypted under the data key of the person. */
  async openOriginal(
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<{ readonly mimeType: ArtifactMimeType; readonly content: AsyncIterable<Buffer> }> {
    const artifact = await this.artifacts.get(ctx.organisationId, id);
    const content = await this.artifacts.openContent(artifact, 'original');
    const context = `${encryptionContextOf('artifacts', id, ctx.organisationId)}|reason`;
    const sealedReason = (await this.vault.sealOne(reason, artifact.subject, context)).toString('base64');
    await this.record(ctx, id, { rendition: 'original', sealedReason });
    return { mimeType: artifact.mimeType, content };
  }

  private async record(ctx: ActorContext, id: string, content: AuditContent): Promise<void> {
    const now = new Date(this.clock.now());
    await this.uow.run(ctx.organisationId, (tx) =>
      this.audit.record(tx, auditDraftOf(ctx, 'artifact', id, 'artifact.viewed', now, content)),
    );
  }
}

async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

const noSuchPageError = (): DomainError => invalid('page', 'VALUE_NOT_ALLOWED', 'The file has fewer pages.');
