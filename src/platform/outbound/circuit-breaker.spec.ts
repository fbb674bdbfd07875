import { expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

const breaker = (): CircuitBreaker => new CircuitBreaker({ failures: 3, pauseMs: 1_000 });

it('opens after so many failures in a row, and not before', () => {
  // ASVS 16.5.2
  const one = breaker();
  for (const now of [1, 2]) one.recordFailure(now);
  expect(one.allows(3)).toBe(true);
  one.recordFailure(3);
  expect(one.allows(4)).toBe(false);
  expect(one.allows(1_002)).toBe(false);
});

it('a success in between begins the count anew', () => {
  const one = breaker();
  for (const now of [1, 2]) one.recordFailure(now);
  one.recordSuccess();
  one.recordFailure(3);
  expect(one.allows(4)).toBe(true);
});

it('after the pause lets a single request try, and closes when it succeeds', () => {
  const one = breaker();
  for (const now of [1, 2, 3]) one.recordFailure(now);
  expect([one.allows(1_003), one.allows(1_004)]).toEqual([true, false]);
  one.recordSuccess();
  expect([one.allows(1_005), one.allows(1_006)]).toEqual([true, true]);
});

it('after the pause opens again when that request fails', () => {
  const one = breaker();
  for (const now of [1, 2, 3]) one.recordFailure(now);
  expect(one.allows(1_003)).toBe(true);
  one.recordFailure(1_100);
  expect([one.allows(2_099), one.allows(2_100)]).toEqual([false, true]);
});
