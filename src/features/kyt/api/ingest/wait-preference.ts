import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Field } from '../../../../platform/http/index.js';

const MAX_WAIT_MS = 10_000;
// Longer headers are a mistake and are ignored.
const MAX_HEADER = 256;
const PREFERENCE = /(?:[^,"]|"[^"]*")+/g;
// The only query that the ingest lane answers itself; the controller validates any other.
const PLAIN = /^\?wait=([1-9]\d{0,4})$/;
const WAIT = /^\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?:;|$)/i;

export class WaitQuery {
  // This parameter has no example, because Swagger UI would send it, and the first answer would not be the 202.
  @Field.integer('How many milliseconds the answer may wait for the decision, such as 2000.', {
    ...{ min: 1, max: MAX_WAIT_MS, url: true, optional: 'not null' },
  })
  wait?: number;
}

/**
 * Returns the seconds that a Prefer header (RFC 7240) asks to wait, at most 10, or null.
 * Unknown preferences are ignored, as the RFC asks.
 */
export function parsePreferredSeconds(header: string | undefined): number | null {
  if (header === undefined || header.length > MAX_HEADER) return null;
  for (const preference of header.match(PREFERENCE) ?? []) {
    const [, plain, quoted] = WAIT.exec(preference) ?? [];
    const seconds = Number(plain ?? quoted ?? 0);
    if (seconds > 0) return Math.min(seconds, MAX_WAIT_MS / 1_000);
  }
  return null;
}

/** Returns the milliseconds of `?wait=MS` if the address has no other query, else null. */
export function parsePlainWait(url: string | undefined, path: string): number | null {
  if (!url?.startsWith(path)) return null;
  const ms = Number(PLAIN.exec(url.slice(path.length))?.[1] ?? 0);
  return ms >= 1 && ms <= MAX_WAIT_MS ? ms : null;
}

/** Returns a signal that aborts when the wait ends or the caller disconnects; null if no wait was requested. */
export function createWaitSignal(
  waitMs: number | undefined,
  prefer: string | undefined,
  response: ServerResponse,
): AbortSignal | null {
  const seconds = waitMs === undefined ? parsePreferredSeconds(prefer) : null;
  if (seconds !== null) response.setHeader('Preference-Applied', `wait=${seconds}`);
  const ms = waitMs ?? (seconds === null ? null : 1_000 * seconds);
  if (ms === null) return null;
  const controller = new AbortController();
  // All transactions of a batch, at most 1,000, wait with this one signal.
  setMaxListeners(1_000, controller.signal);
  const timer = setTimeout(() => {
    controller.abort();
  }, ms);
  response.once('close', () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}
