import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How slowly a body may come that is allowed more time than other requests. */
export interface SenderRules {
  readonly minBytesPerSecond: number;
  /** Over which time the rate is taken: a phone in a lift sends nothing for a while. */
  readonly windowMs: number;
  /** No body takes longer, however steadily it comes. */
  readonly totalMs: number;
}

export interface SenderWatch {
  readonly saw: (bytes: number) => void;
  readonly stop: () => void;
}

const unhurried = new WeakSet<Duplex>();

/** Whether the request on this connection is timed by its own rules instead of the server's limit for all. */
export const takesItsTime = (socket: Duplex): boolean => unhurried.has(socket);

/**
 * Times a body by its rate instead of the server's limit for all requests: `tooSlow` is called once when it falls below,
 * or takes too long. Whoever sends a byte now and then holds a connection no longer than a window.
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
  // Until it is answered: the limit for all would otherwise write its own answer into ours.
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
