import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time limits for a body that may take longer than the general request timeout. */
export interface SenderRules {
  readonly minBytesPerSecond: number;
  /** The time over which the rate is measured: a phone may have no network for a while. */
  readonly windowMs: number;
  /** The longest time for the whole body, at any rate. */
  readonly totalMs: number;
}

export interface SenderWatch {
  readonly countBytes: (bytes: number) => void;
  readonly stop: () => void;
}

const ownTimeoutSockets = new WeakSet<Duplex>();

/** True if `watchSender` times the request on this connection, instead of the general request timeout. */
export const hasOwnBodyTimeout = (socket: Duplex): boolean => ownTimeoutSockets.has(socket);

/**
 * Times a body by its rate instead of the general request timeout: `tooSlow` is called once if the rate is too low or
 * the body takes too long. A sender of single bytes holds a connection no longer than one window.
 */
export function watchSender(request: IncomingMessage, rules: SenderRules, tooSlow: () => void): SenderWatch {
  const { socket } = request;
  const least = (rules.minBytesPerSecond * rules.windowMs) / 1_000;
  let seenCount = 0;
  const stop = (): void => {
    clearInterval(window);
    clearTimeout(total);
  };
  const giveUp = (): void => {
    stop();
    tooSlow();
  };
  const window = setInterval(() => {
    if (seenCount < least) giveUp();
    seenCount = 0;
  }, rules.windowMs);
  const total = setTimeout(giveUp, rules.totalMs);
  ownTimeoutSockets.add(socket);
  // The connection keeps its own timeout until the answer is complete: the general timeout would otherwise write a
  // second answer into it.
  request.once('close', () => {
    stop();
    ownTimeoutSockets.delete(socket);
  });
  return {
    countBytes: (bytes) => {
      seenCount += bytes;
    },
    stop,
  };
}
