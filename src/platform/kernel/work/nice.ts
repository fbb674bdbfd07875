import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives the calling thread the lowest priority of the machine. On Linux a priority belongs to a thread; elsewhere it
 * belongs to the whole process, so nothing is changed.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Without /proc, or without the right to change priorities, the thread keeps its own.
  }
}
