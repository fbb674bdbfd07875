import type { Settings } from '../config/index.js';
import { registration } from '../registry/index.js';

export interface PeriodicOptions {
  /** Milliseconds from the end of a run to the next run; the first run is delayed by as much. */
  readonly everyMs: number | ((settings: Settings) => number);
  /** The consequence of a failed run, for the log line: `erasures wait`. */
  readonly otherwise: string;
  /** `workers`: a process with ROLE=api does not run it. */
  readonly runsIn: 'workers' | 'every process';
}

/** Marks a provider method that `PeriodicWorker` calls repeatedly, never two calls at a time. */
export const Periodic = registration<() => Promise<unknown>, PeriodicOptions>('periodic task');
