import { readFile, stat } from 'node:fs/promises';
import { settingDefinitions, type RingKey } from '../../config/index.js';
import { KeySource, KeySourceFailedError } from './key-source.js';

// Permission bits of group and others.
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Reads the ring keys from a file in the format of KEY_RING, for platforms that mount secrets as files. */
export class FileKeys extends KeySource {
  constructor(private readonly path: string) {
    super();
  }

  override async loadKeys(): Promise<readonly RingKey[]> {
    let text: string;
    try {
      const { mode, uid } = await stat(this.path);
      // A platform mounts a secret as a file of root that the group or all users of the container may read. A file of
      // the service itself needs no other readers.
      if ((mode & (uid === process.getuid?.() ? OTHERS : OTHERS_WRITE)) !== 0) {
        throw new KeySourceFailedError(
          'KEY_RING_FILE must be writable by its owner only, and readable by nobody else if the service owns it',
        );
      }
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (error instanceof KeySourceFailedError) throw error;
      throw new KeySourceFailedError('KEY_RING_FILE cannot be read');
    }
    const parsedKeys = settingDefinitions.keyRing.parse(text.trim());
    if ('problem' in parsedKeys) throw new KeySourceFailedError(`KEY_RING_FILE ${parsedKeys.problem}`);
    return parsedKeys.value;
  }
}
