import { readSettings } from '../../platform/config/index.js';
import { PROCESS_NAME } from '../../platform/database/index.js';
import {
  IndexKeyRotation,
  IndexKeys,
  KeyRotation,
  createKeySource,
  WrappingSource,
} from '../../platform/privacy/index.js';
import { countOf } from '../../platform/kernel/index.js';
import { withServices } from '../context.js';

const meaning = {
  CURRENT: 'wraps new data keys',
  NEEDED: 'still needed: run `vigia keys rotate`, then look again',
  MISSING: 'needed, but not in KEY_RING: what it wraps cannot be read',
  UNUSED: 'not needed by any stored data key: may leave KEY_RING once no process has it first',
} as const;

/** Prints a new ring key, encrypted by its key service. Nobody has seen the key itself. */
export async function createKey(id: string): Promise<void> {
  const source = createKeySource(readSettings());
  if (!(source instanceof WrappingSource)) {
    throw new Error('keys new needs KEY_SOURCE=aws-kms or vault; elsewhere: openssl rand -base64 32');
  }
  process.stdout.write(`${await source.createWrappedKey(id)}\n`);
}

/** Re-encrypts every data key under the first key of KEY_RING; returns the exit status. */
export async function rotateKeys(): Promise<number> {
  return withServices(async (services) => {
    const { rewrapped, remaining } = await services.get(KeyRotation).rotate((progress) => {
      process.stdout.write(`${progress.rewrapped} wrapped anew, ${progress.remaining} to go\n`);
    });
    process.stdout.write(`done: ${rewrapped} wrapped anew, ${remaining} under an older key\n`);
    if (remaining === 0) return 0;
    // The remaining keys were created during the rotation, by a process whose KEY_RING still begins with the old key.
    process.stdout.write('some process still wraps under an older key: restart it with the new one first\n');
    return 1;
  });
}

/** Replaces INDEX_KEY by INDEX_KEY_NEXT. Exit status 1 if the service has to be stopped first. */
export async function rotateIndexKey(): Promise<number> {
  const { indexKeyNext } = readSettings();
  if (indexKeyNext === null) {
    throw new Error('keys rotate-index needs INDEX_KEY_NEXT: openssl rand -base64 32');
  }
  return withServices(async (services) => {
    const { number, others, known } = await services
      .get(IndexKeyRotation)
      .rotate(indexKeyNext, PROCESS_NAME, (transactions) => {
        process.stdout.write(`${countOf(transactions, 'transaction', 'transactions')} looked at\n`);
      });
    if (number === null) {
      process.stdout.write(
        `${countOf(others, 'other process is', 'other processes are')} connected: stop the whole service, and run this again\n`,
      );
      return 1;
    }
    process.stdout.write(
      `done: index key ${number} is the newest, ${known} indexes stay under the older ones\n` +
        'start every process with INDEX_KEY as INDEX_KEY_NEXT was, and without INDEX_KEY_NEXT\n',
    );
    return 0;
  });
}

/** Prints which ring keys the stored data needs. Exit status 1 if one is missing. */
export async function checkKeys(): Promise<number> {
  return withServices(async (services) => {
    const uses = await services.get(KeyRotation).readUsage();
    for (const { ringKeyId, dataKeys, state } of uses) {
      process.stdout.write(`${ringKeyId}  ${dataKeys} data keys  ${state}: ${meaning[state]}\n`);
    }
    // INDEX_KEY needs no check here: with a wrong key the service would not have started.
    const { length } = services.get(IndexKeys).keys;
    process.stdout.write(`INDEX_KEY  ${length} index keys  CURRENT: seals the keys of the blind indexes\n`);
    return uses.some(({ state }) => state === 'MISSING') ? 1 : 0;
  });
}
