import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ArtifactStore, ObjectMissingError, type StoredObject } from './artifact-store.js';
import { fileErrorCode, isMissingFile } from '../domain/file-errors.js';

/** Stores artifacts in a folder of this machine, or of a volume that several machines share. */
export class LocalStore extends ArtifactStore {
  constructor(private readonly folder: string) {
    super();
  }

  override async put(key: string, path: string): Promise<void> {
    const target = this.pathOf(key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await rename(path, target);
    } catch (error) {
      // Another process may have deleted the empty folder; a second failure has another cause.
      if (!isMissingFile(error)) throw error;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
    }
    // Fsyncs the directory entries; the writer has already synced the content.
    await syncFolder(dirname(target));
    await syncFolder(dirname(dirname(target)));
  }

  override async open(key: string): Promise<Readable> {
    const stream = createReadStream(this.pathOf(key));
    await new Promise<void>((resolve, reject) => {
      stream.once('open', () => {
        resolve();
      });
      stream.once('error', (error) => {
        reject(isMissingFile(error) ? new ObjectMissingError() : error);
      });
    });
    return stream;
  }

  override async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    await rm(path, { force: true });
    // Deletes the folders that are now empty, up to the root of the store.
    for (let folder = dirname(path); folder !== this.folder; folder = dirname(folder)) {
      if (!(await removeIfEmpty(folder))) return;
    }
  }

  override async *list(prefix: string): AsyncIterable<StoredObject> {
    // Prefixes are whole path segments: keys begin with a day, then the organisation.
    yield* this.walk(join(this.folder, ...prefix.split('/').filter((part) => part !== '')));
  }

  private async *walk(folder: string): AsyncIterable<StoredObject> {
    let entries;
    try {
      entries = await opendir(folder);
    } catch (error) {
      if (isMissingFile(error)) return;
      throw error;
    }
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* this.walk(path);
      else {
        const fileStats = await stat(path).catch((error: unknown) => {
          if (isMissingFile(error)) return null; // removed since it was listed
          throw error;
        });
        if (!fileStats) continue;
        const key = relative(this.folder, path).split(sep).join('/');
        yield { key, bytes: fileStats.size, modifiedAt: fileStats.mtime };
      }
    }
  }

  private pathOf(key: string): string {
    // The service generates all keys; a key that escapes the folder comes from a corrupt row and must not be read.
    if (!/^[0-9a-z-]+(\/[0-9a-z.-]+)+$/.test(key) || key.includes('..')) throw new ObjectMissingError();
    return join(this.folder, ...key.split('/'));
  }
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(fileErrorCode(error) ?? '')) return false;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
