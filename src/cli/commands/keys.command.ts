import { KeyRotation } from '../../privacy/index.js';
import { withServices } from '../context.js';

const meaning = {
  CURRENT: 'wraps new data keys',
  NEEDED: 'still needed: run `vigia keys rotate`, then look again',
  MISSING: 'needed, but not in KEY_RING: what it wraps cannot be read',
  UNUSED: 'not needed by any stored data key: may leave KEY_RING once no process has it first',
} as const;

/** Wraps every data key under the first key of KEY_RING; returns the exit status. */
export async function rotateKeys(): Promise<number> {
  return withServices(async (services) => {
    const { rewrapped, remaining } = await services.get(KeyRotation).rotate((progress) => {
      process.stdout.write(`${progress.rewrapped} wrapped anew, ${progress.remaining} to go\n`);
    });
    process.stdout.write(`done: ${rewrapped} wrapped anew, ${remaining} under an older key\n`);
    if (remaining === 0) return 0;
    // Made behind the walk, by a process whose KEY_RING begins with the old key.
    process.stdout.write('some process still wraps under an older key: restart it with the new one first\n');
    return 1;
  });
}

/** Prints which ring keys the stored data needs; returns the exit status: 1 when a needed one is missing. */
export async function checkKeys(): Promise<number> {
  return withServices(async (services) => {
    const uses = await services.get(KeyRotation).usage();
    for (const { ringKeyId, dataKeys, state } of uses) {
      process.stdout.write(`${ringKeyId}  ${dataKeys} data keys  ${state}: ${meaning[state]}\n`);
    }
    return uses.some(({ state }) => state === 'MISSING') ? 1 : 0;
  });
}
