import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The limits of a body that may take more time than other requests. */
export interface SenderRules {
  readonly minBytesPerSecond: number;
  /** The time over which the rate is taken: a phone in a lift sends nothing for a while. */
  readonly windowMs: number;
  /** The longest time of a body, however steadily it comes. */
  readonly totalMs: number;
}

export interface SenderWatch {
  readonly saw: (bytes: number) => void;
  readonly stop: () => void;
}

const unhurried = new WeakSet<Duplex>();

/** True if the request on this connection has its own time rules instead of the server's limit for all. */
export const allowSlowSender = (socket: Duplex): boolean => unhurried.has(socket);

/**
 * Times a body by its rate instead of the server's limit for all requests: `tooSlow` is called once if the rate is too
 * low or the body takes too long. A byte now and then holds a connection no longer than a window.
 */
export function watchSender(request: IncomingMessage, rules: SenderRules, tooSlow: () => void): SenderWatch {
  const { socket } = request;
  const least = (rules.minBytesPerSecond * rules.windowMs) / 1_000;
  let seen = 0;
  const stop = (): void => {
    clearInterval(window);
    clearTimeout(total);
  };
  const giveUp = (): void => {
    stop();
    tooSlow();
  };
  const window = setInterval(() => {
    if (seen < least) giveUp();
    seen = 0;
  }, rules.windowMs);
  const total = setTimeout(giveUp, rules.totalMs);
  unhurried.add(socket);
  // Ends with the answer: the limit for all would otherwise write its own answer into ours.
  request.once('close', () => {
    stop();
    unhurried.delete(socket);
  });
  return {
    saw: (bytes) => {
      seen += bytes;
    },
    stop,
  };
}
