import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../../audit/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { DomainError, errorAt, requireUuid } from '../../../platform/kernel/index.js';
import { ArtifactViewsService } from '../../uploads/index.js';
import type { PdfWriter } from '../../../platform/print/index.js';
import type { DossierArtifact } from '../domain/dossier.js';
import type { PrintFormatter } from './rendered-text.js';

/** Decrypts the picture of a file by public id; null if it cannot be shown. The file's trail records each access. */
export type Pictures = (id: string) => Promise<Buffer | null>;

type ShownFile = Pick<DossierArtifact, 'id' | 'kind' | 'side' | 'mimeType' | 'receivedAt'>;

/** Decrypts the pictures for a PDF, if the operator may see files. */
@Injectable()
export class DossierPicturesService {
  constructor(private readonly views: ArtifactViewsService) {}

  /** Throws PERMISSION_DENIED if the operator lacks `artifacts:read`. */
  load(ctx: ActorContext, { permissions }: OperatorPrincipal): Pictures {
    if (!permissions.has('artifacts:read')) {
      throw errorAt('PERMISSION_DENIED', 'pictures', 'artifacts:read', 'Pictures need this permission too.');
    }
    return async (id) => {
      try {
        const content = await this.views.openView(ctx, requireUuid('art', id, 'ARTIFACT_NOT_FOUND'), 1);
        const parts: Buffer[] = [];
        for await (const part of content) parts.push(part);
        return Buffer.concat(parts);
      } catch (error) {
        if (error instanceof DomainError && GONE.has(error.code)) return null;
        throw error;
      }
    };
  }
}

const GONE: ReadonlySet<string> = new Set(['ARTIFACT_GONE', 'ARTIFACT_NOT_SHOWABLE']);

/** Prints the pictures of files in order, with one in memory at a time. */
export async function printPictures(
  pdf: PdfWriter,
  files: readonly ShownFile[],
  pictures: Pictures,
  show: PrintFormatter,
): Promise<void> {
  const { words } = show;
  if (files.length === 0) return;
  pdf.subheading(words.pictures);
  for (const one of files) {
    const caption = [
      show.file(one),
      ...(one.mimeType === 'application/pdf' ? [words.firstPage] : []),
      show.time(one.receivedAt),
    ].join(', ');
    const content = await pictures(one.id);
    if (content) pdf.picture(content, caption);
    else pdf.paragraph(`${caption}: ${words.noPicture}`);
    await pdf.drain();
  }
}
