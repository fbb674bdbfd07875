import type { Settings } from '../config/index.js';
import { registration } from '../registry/index.js';

export interface PeriodicOptions {
  /** Milliseconds between the end of one run and the beginning of the next; the first run waits as long. */
  readonly everyMs: number | ((settings: Settings) => number);
  /** The work that a failure leaves undone, for the log line: "erasures wait". */
  readonly otherwise: string;
  /** `workers`: a process with ROLE=api does not run it. */
  readonly runsIn: 'workers' | 'every process';
}

/** `PeriodicWorker` calls this method of a provider again and again, never twice at a time. */
export const Periodic = registration<() => Promise<unknown>, PeriodicOptions>('periodic task');
