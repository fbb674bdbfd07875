import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Gives the calling thread the lowest priority. Only on Linux: elsewhere a priority belongs to the whole process. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // The priority stays unchanged without /proc or without permission.
  }
}
