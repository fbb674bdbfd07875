import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `look` returns something other than null, undefined or false; fails with what it was waiting for. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 240_000,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > until) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await sleep(20);
  }
}
