/** How failed attempts delay later attempts of the same kind. */
export interface ThrottleRule {
  /** The number of failures without a delay, for typing errors. */
  readonly free: number;
  /** The delay after the first failure beyond `free`; it doubles with each further failure. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** After this time without a failure the count restarts. */
  readonly forgetSeconds: number;
}

const DAY = 86_400;

/**
 * The kinds of failure counters with their delays.
 *
 * - `origin`: wrong passwords for one account from one address, or from one known device (OWASP: device cookies).
 *   A lock of up to 15 minutes, for that address or device only.
 * - `account`: wrong passwords for one account from anywhere but its known devices. The delay is at most one minute,
 *   because anybody who knows the address could cause it. It does not apply to a known device, nor to a correct password
 *   with a correct second factor.
 * - `second`: wrong second factors after a correct password. Only somebody who knows the password can cause them, so the
 *   delays are long and apply to any address; a known device has its own counter.
 * - `reauthentication`: wrong passwords or codes within a session.
 */
export const throttleRules = {
  origin: { free: 5, firstSeconds: 5, longestSeconds: 900, forgetSeconds: DAY },
  account: { free: 20, firstSeconds: 1, longestSeconds: 60, forgetSeconds: 3_600 },
  second: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
  reauthentication: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
} as const satisfies Record<string, ThrottleRule>;
export type ThrottleKind = keyof typeof throttleRules;

/** The delay in seconds after this number of failures. */
export function delayAfterFailures(failures: number, rule: ThrottleRule): number {
  const countedFailures = failures - rule.free;
  if (countedFailures <= 0) return 0;
  return Math.min(rule.longestSeconds, rule.firstSeconds * 2 ** Math.min(countedFailures - 1, 30));
}
