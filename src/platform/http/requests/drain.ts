import type { IncomingMessage } from 'node:http';

const DRAIN_BYTES = 16 * 1_024 * 1_024;
const DRAIN_MS = 2_000;

/** Reads and discards so much of the rest of a body that a client that is still sending can read its refusal. */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let remaining = DRAIN_BYTES;
    const timer = setTimeout(done, DRAIN_MS);
    function done(): void {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      if (!request.complete) request.pause();
      resolve();
    }
    function count(chunk: Buffer): void {
      remaining -= chunk.length;
      if (remaining < 0) done();
    }
    request.on('data', count).once('end', done).once('close', done);
    request.resume();
  });
}
