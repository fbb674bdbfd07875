import { secondOf, type LoggedRequest, type RequestBundle } from '../store/request-log.statements.js';

/** Maximum number of requests in a row, which bounds what a page reads for its last request. */
const MAX_BUNDLED = 100;

/**
 * Puts the requests of a second that differ in nothing but id, duration and size into one row. A request that its
 * caller named stays alone, so that the row can be found by the name.
 */
export function bundlesOf(requests: readonly LoggedRequest[]): RequestBundle[] {
  const bundles: RequestBundle[] = [];
  const open = new Map<string, RequestBundle>();
  for (const { id, durationMs, bytesIn, ...alike } of requests) {
    const second = secondOf(id);
    const isNamed = alike.requestId !== null || alike.correlationId !== null;
    const key = isNamed ? id : JSON.stringify([second, alike]);
    const requestLog = open.get(key);
    if (requestLog && requestLog.ids.length < MAX_BUNDLED) {
      requestLog.ids.push(id);
      requestLog.durationsMs.push(durationMs);
      requestLog.bytesIn.push(bytesIn);
      continue;
    }
    const bundle = { ...alike, id, second, ids: [id], durationsMs: [durationMs], bytesIn: [bytesIn] };
    open.set(key, bundle);
    bundles.push(bundle);
  }
  return bundles;
}
