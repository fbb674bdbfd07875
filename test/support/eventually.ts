import { setTimeout as sleep } from 'node:timers/promises';

/** Tells of what hangs before the test's own time is over; a busy machine gets more where times are long. */
const PATIENCE_MS = process.env['VIGIA_PART'] === 'first' ? 50_000 : 240_000;

/** Waits until `look` returns something other than null, undefined or false; fails with what it was waiting for. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > until) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await sleep(20);
  }
}
