import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets everything else on the machine go before the thread that calls it. On Linux a priority belongs to a thread; elsewhere
 * it would be that of the whole process, and nothing is changed.
 */
export function beNice(): void {
  if (process.platform !== 'linux') return;
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Where there is no /proc, or where priorities are not to be changed, it is as urgent as the rest.
  }
}
