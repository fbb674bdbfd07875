import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { isMissingFile } from '../domain/file-errors.js';

// A file unmodified for this long was left by a killed process: a running upload modifies its file.
const LEFT_BEHIND_MS = 15 * 60_000;

/** Stores encrypted files until they are accepted. A refused file never reaches the artifact store. */
@Injectable()
export class StagingArea {
  private readonly folder: string;

  constructor(settings: Settings) {
    this.folder = join(settings.dataDir, 'artifacts', 'incoming');
  }

  /** Writes a stream to a new file, fsyncs it and returns its path; deletes it when the stream fails. */
  async write(content: AsyncIterable<Buffer>): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, randomUUID());
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of content) await file.write(chunk);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }

  read(path: string): AsyncIterable<Buffer> {
    return createReadStream(path);
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Deletes files that killed processes left; returns how many. */
  async sweep(olderThanMs = LEFT_BEHIND_MS): Promise<number> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (isMissingFile(error)) return [];
      throw error;
    });
    let removed = 0;
    for (const name of names) {
      const path = join(this.folder, name);
      const fileStats = await stat(path).catch(() => null); // gone meanwhile: its upload is done
      if (!fileStats || Date.now() - fileStats.mtimeMs < olderThanMs) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }
}
