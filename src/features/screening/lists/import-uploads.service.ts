import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { ActorContext } from '../../audit/index.js';
import { mediaTypeIn, safeFieldName } from '../../../platform/http/index.js';
import { DomainError, invalid } from '../../../platform/kernel/index.js';
import { ListImporterService } from './list-importer.service.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';

interface Upload {
  readonly folder: string;
  readonly main: string;
  readonly aliases: string | null;
  readonly confirmation: 'ALWAYS' | 'ON_SHRINK';
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Receives files into a private folder and imports them in the background: a request may not take that long. */
@Injectable()
export class ImportUploadsService implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly abort = new AbortController();

  constructor(private readonly importer: ListImporterService) {}

  async beforeApplicationShutdown(): Promise<void> {
    // An import that is interrupted is marked as failed; the list does not change.
    this.abort.abort();
    await Promise.all(this.running);
  }

  async receive(ctx: ActorContext, list: ListRow, request: IncomingMessage): Promise<SnapshotRow> {
    const upload = await receiveFiles(request);
    try {
      if (upload.aliases !== null && list.format !== 'OFAC_SDN_CSV') {
        throw invalid('aliases', 'UNKNOWN_FIELD', 'Only OFAC has a file of aliases.');
      }
      const files = [upload.main, upload.aliases].filter((file) => file !== null);
      const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const snapshot = await this.importer.startImport(ctx, list, total);
      const run = this.run(ctx, list, snapshot.id, upload, total).finally(() => this.running.delete(run));
      this.running.add(run);
      return snapshot;
    } catch (error) {
      await rm(upload.folder, { recursive: true, force: true });
      throw error;
    }
  }

  private async run(
    ctx: ActorContext,
    list: ListRow,
    snapshotId: string,
    upload: Upload,
    total: number,
  ): Promise<void> {
    const { signal } = this.abort;
    try {
      const source = {
        main: createReadStream(upload.main, { signal }),
        ...(upload.aliases === null ? {} : { aliases: createReadStream(upload.aliases, { signal }) }),
        bytesTotal: total,
      };
      await this.importer.runImport(ctx, list, snapshotId, source, { confirmation: upload.confirmation });
    } catch {
      // The importer has recorded the error. Without a database, the import is marked as interrupted later.
    } finally {
      await rm(upload.folder, { recursive: true, force: true });
    }
  }
}

async function receiveFiles(request: IncomingMessage): Promise<Upload> {
  const parser = parserOf(request);
  const folder = await mkdtemp(join(tmpdir(), 'vigia-import-'));
  const files = new Map<string, string>();
  const writes: Promise<void>[] = [];
  let confirmation = 'ON_SHRINK';
  const wrong: { problem: DomainError | null } = { problem: null };
  parser.on('file', (name, stream) => {
    if (files.has(name)) {
      wrong.problem ??= invalid(name, 'DUPLICATE', 'Is read once.');
      stream.resume();
      return;
    }
    const path = join(folder, name);
    files.set(name, path);
    stream.on('limit', () => (wrong.problem ??= new DomainError('FILE_TOO_LARGE')));
    writes.push(pipeline(stream, createWriteStream(path, { mode: 0o600 })));
  });
  // A part may have no name, although the types of the parser exclude that.
  parser.on('field', (name: string | undefined, value) => {
    if (name === 'confirmation' && (value === 'ALWAYS' || value === 'ON_SHRINK')) confirmation = value;
    else {
      wrong.problem ??= invalid(
        name ? safeFieldName(name) : '',
        'UNKNOWN_FIELD',
        'Only confirmation, ON_SHRINK or ALWAYS, is read.',
      );
    }
  });
  try {
    await pipeline(request, parser);
    await Promise.all(writes);
  } catch {
    wrong.problem ??= invalid('', 'MALFORMED', 'The body is not well-formed multipart/form-data.');
  }
  const main = files.get('file');
  if (!main) wrong.problem ??= invalid('file', 'REQUIRED', 'The part file is missing.');
  const failed = wrong.problem;
  if (failed || !main) {
    await Promise.allSettled(writes);
    await rm(folder, { recursive: true, force: true });
    throw failed ?? new DomainError('VALIDATION_FAILED');
  }
  return {
    folder,
    main,
    aliases: files.get('aliases') ?? null,
    confirmation: confirmation === 'ALWAYS' ? 'ALWAYS' : 'ON_SHRINK',
  };
}

function parserOf(request: IncomingMessage): BusboyInstance {
  const { 'content-type': contentType = '' } = request.headers;
  if (mediaTypeIn(contentType).essence !== 'multipart/form-data') {
    throw new DomainError('MEDIA_TYPE_UNSUPPORTED', { headers: { Accept: 'multipart/form-data' } });
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // A blob may have no file name, and a program may send no content type.
      isPartAFile: (name) => name === 'file' || name === 'aliases',
      limits: { files: 2, fields: 4, fileSize: MAX_FILE_BYTES, fieldSize: 256 },
    });
  } catch {
    throw new DomainError('MEDIA_TYPE_UNSUPPORTED', { headers: { Accept: 'multipart/form-data' } });
  }
}
