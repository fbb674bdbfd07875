/** Decides how failures of one kind delay later attempts. */
export interface ThrottleRule {
  /** The number of failures without a wait: typing errors. */
  readonly free: number;
  /** The wait after the first failure beyond `free`; it doubles with each further one. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** The time without a failure after which the count begins anew. */
  readonly forgetSeconds: number;
}

const DAY = 86_400;

/**
 * The kinds of counters, and the waits that they cause.
 *
 * - `origin`: wrong passwords for one account from one address, or from one known device (OWASP: device cookies).
 *   A real lock, for minutes: it holds up only that address or device.
 * - `account`: wrong passwords for one account from anywhere but its known devices. It delays by at most a minute,
 *   because anybody who knows an address could cause it; it does not hold up a known device, or a right password together
 *   with a right second factor.
 * - `second`: wrong second factors after a right password. Only somebody who knows the password can cause them, so the
 *   waits are long and hold for any address; a known device has a counter of its own.
 * - `reauthentication`: wrong passwords or codes inside a session.
 */
export const throttleRules = {
  origin: { free: 5, firstSeconds: 5, longestSeconds: 900, forgetSeconds: DAY },
  account: { free: 20, firstSeconds: 1, longestSeconds: 60, forgetSeconds: 3_600 },
  second: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
  reauthentication: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
} as const satisfies Record<string, ThrottleRule>;
export type ThrottleKind = keyof typeof throttleRules;

/** Seconds to wait after this number of failures. */
export function waitAfter(failures: number, rule: ThrottleRule): number {
  const beyond = failures - rule.free;
  if (beyond <= 0) return 0;
  return Math.min(rule.longestSeconds, rule.firstSeconds * 2 ** Math.min(beyond - 1, 30));
}
