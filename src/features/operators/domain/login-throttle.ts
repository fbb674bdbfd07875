/** How failures of one kind slow down what comes after them. */
export interface ThrottleRule {
  /** Failures that cost nothing: typing errors. */
  readonly free: number;
  /** The wait after the first failure beyond these; it doubles with each further one. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** After so long without a failure the counting begins anew. */
  readonly forgetSeconds: number;
}

const DAY = 86_400;

/**
 * Which failures are counted together, and what they cost.
 *
 * - `origin`: wrong passwords for one account from one address, or from one known device (OWASP: device cookies).
 *   A real lock, for minutes: it holds up only that address or device.
 * - `account`: wrong passwords for one account from anywhere but its known devices. Only a slow-down of at most a
 *   minute, because whoever knows an address could cause it; a known device, or a right password together with a right
 *   second factor, is not held up by it.
 * - `second`: wrong second factors after a right password. Whoever causes these knows the password, so this one is
 *   hard, and holds for any address; a known device has a counter of its own.
 * - `reauthentication`: wrong passwords or codes inside a session.
 */
export const throttleRules = {
  origin: { free: 5, firstSeconds: 5, longestSeconds: 900, forgetSeconds: DAY },
  account: { free: 20, firstSeconds: 1, longestSeconds: 60, forgetSeconds: 3_600 },
  second: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
  reauthentication: { free: 5, firstSeconds: 30, longestSeconds: 3_600, forgetSeconds: DAY },
} as const satisfies Record<string, ThrottleRule>;
export type ThrottleKind = keyof typeof throttleRules;

/** Seconds to wait after so many failures. */
export function waitAfter(failures: number, rule: ThrottleRule): number {
  const beyond = failures - rule.free;
  if (beyond <= 0) return 0;
  return Math.min(rule.longestSeconds, rule.firstSeconds * 2 ** Math.min(beyond - 1, 30));
}
