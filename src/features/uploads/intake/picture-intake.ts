import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { errorAt } from '../../../platform/kernel/index.js';
import type { ArtifactMimeType } from '../domain/artifact.js';
import { detectMimeType } from '../domain/file-type.js';
import { FileReader } from './file-reader.js';
import { readUpload } from './multipart.js';

const MAX_BYTES = 1_024 * 1_024;

/** Receives a small public image such as a logo: checks its type, and re-encodes it in the child process. */
@Injectable()
export class PictureIntake {
  constructor(
    private readonly reader: FileReader,
    private readonly settings: Settings,
  ) {}

  /** Reads one file from `multipart/form-data` and returns a PNG. Throws like `readUpload` and `FileReader.convertLogo`. */
  async receive(request: IncomingMessage): Promise<Buffer> {
    const { taken } = await readUpload(request, {
      fileBytes: MAX_BYTES,
      sender: {
        minBytesPerSecond: this.settings.uploadMinBytesPerSecond,
        windowMs: this.settings.uploadRateWindowMs,
        totalMs: this.settings.uploadTimeoutMs,
      },
      take: readWhole,
      undo: () => Promise.resolve(),
    });
    return this.reader.convertLogo(taken.mimeType, () => streamOf(taken.bytes));
  }
}

async function readWhole(
  content: AsyncIterable<Buffer>,
): Promise<{ readonly bytes: Buffer; readonly mimeType: Exclude<ArtifactMimeType, 'application/pdf'> }> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const mimeType = detectMimeType(bytes);
  if (mimeType === null || mimeType === 'application/pdf') {
    const message = 'A logo is a JPEG, PNG or WebP.';
    throw errorAt('FILE_TYPE_UNSUPPORTED', 'file', 'UNKNOWN_TYPE', message);
  }
  return { bytes, mimeType };
}

async function* streamOf(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
