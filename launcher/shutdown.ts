import { AppRoleError } from '../src/platform/database/connection/app-role.js';
import { LauncherError } from './launcher-error.js';

// npm passes a Ctrl-C on although the terminal has sent it to us already: twins are one.
const SAME_KEYSTROKE_MS = 1_000;
const FORCED_EXIT_MS = 30_000;

/**
 * Owns the signals from the first line to the last, so that there is one order of stopping: what was started last
 * stops first. (Nest's own shutdown hooks end by raising the signal again, which would cut the databases short.)
 */
export class Shutdown {
  private readonly closers: (() => Promise<void> | void)[] = [];
  private readonly asked = new AbortController();
  private askedAt = 0;
  private isStarted = false;

  /** Aborted when the person wants us to stop. */
  get signal(): AbortSignal {
    return this.asked.signal;
  }

  /** Registers a close that runs at the end. */
  add(close: () => Promise<void> | void): void {
    this.closers.push(close);
  }

  /** Runs the steps of the start; then waits for a signal. A failed or interrupted start is undone. */
  async guard(start: () => Promise<void>): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        this.ask(signal);
      });
    }
    try {
      await start();
    } catch (error) {
      if (this.signal.aborted) return this.close(0);
      console.error(explanation(error));
      return this.close(1);
    }
    this.isStarted = true;
    if (this.signal.aborted) await this.close(0);
  }

  private ask(signal: NodeJS.Signals): void {
    if (this.signal.aborted) {
      if (Date.now() - this.askedAt > SAME_KEYSTROKE_MS) console.log('still stopping …');
      return;
    }
    this.askedAt = Date.now();
    // The terminal may be gone for good (SIGHUP); then there is nobody left to tell.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    console.log(`\n${signal}: stopping …`);
    this.asked.abort();
    if (this.isStarted) void this.close(0); // else the start notices between two steps
  }

  private async close(code: number): Promise<void> {
    const begin = performance.now();
    setTimeout(() => {
      console.error(`Not stopped after ${FORCED_EXIT_MS / 1_000} s: forced exit.`);
      process.exit(1); // on Linux the kernel now stops the servers, elsewhere the next start does
    }, FORCED_EXIT_MS).unref();
    for (const close of this.closers.reverse()) {
      try {
        await close();
      } catch (error) {
        console.error(explanation(error));
        code = 1; // and on with the rest
      }
    }
    if (code === 0) console.log(`Stopped in ${Math.round(performance.now() - begin)} ms.`);
    process.exit(code);
  }
}

/** Puts faults that the person can mend into a sentence; any other error comes with its stack. */
function explanation(error: unknown): string {
  if (error instanceof LauncherError || error instanceof AppRoleError) return `\n${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
