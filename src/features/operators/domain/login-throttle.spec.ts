import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { throttleRules, delayAfterFailures, type ThrottleRule } from './login-throttle.js';

const everyRule: [string, ThrottleRule][] = Object.entries(throttleRules);

describe('delayAfterFailures', () => {
  it('typing errors cost nothing, then each failure doubles the wait', () => {
    const waits = Array.from({ length: 16 }, (_, i) => delayAfterFailures(i, throttleRules.origin));
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it.each(everyRule)(
    '%s: never negative, never shorter after more failures, never beyond its longest',
    (_, rule) => {
      fc.assert(
        fc.property(fc.nat(100_000), (failures) => {
          const wait = delayAfterFailures(failures, rule);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(rule.longestSeconds);
          expect(delayAfterFailures(failures + 1, rule)).toBeGreaterThanOrEqual(wait);
        }),
      );
    },
  );

  it('what anybody can cause never holds up an account for more than a minute', () => {
    expect(delayAfterFailures(1_000_000, throttleRules.account)).toBe(60);
  });

  it('a million codes cannot be tried within a working life', () => {
    // ASVS 6.3.1
    const { second } = throttleRules;
    let seconds = 0;
    for (let guess = 1; guess <= 10_000; guess += 1) seconds += delayAfterFailures(guess, second);
    // 3 of 1,000,000 codes are right at any time: 10,000 guesses find one with a chance of 3 %.
    expect(seconds / 86_400).toBeGreaterThan(365);
  });
});
