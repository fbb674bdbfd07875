import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EndpointBreaker } from './breaker.js';

const policy = { failures: 3, pausesMs: [10, 40] };

describe('EndpointBreaker', () => {
  it('opens after so many failures in a row, for longer each time', () => {
    const breaker = new EndpointBreaker(policy);
    expect([1, 2, 3].map(() => breaker.record(false, 0))).toEqual([false, false, true]);
    expect([breaker.state(0), breaker.state(9), breaker.state(10)]).toEqual(['OPEN', 'OPEN', 'HALF_OPEN']);
    expect([breaker.record(false, 10), breaker.reopensAt(10)]).toEqual([true, 50]);
    expect([breaker.record(false, 50), breaker.reopensAt(50)]).toEqual([true, 90]);
  });

  it('closes with the first success, also one that was under way when it opened', () => {
    const breaker = new EndpointBreaker(policy);
    for (let i = 0; i < 3; i += 1) breaker.record(false, 0);
    expect(breaker.record(true, 5)).toBe(false);
    expect([breaker.state(5), breaker.failures, breaker.reopensAt(5)]).toEqual(['CLOSED', 0, null]);
  });

  it('is not prolonged by failures that were under way when it opened', () => {
    const breaker = new EndpointBreaker(policy);
    for (let i = 0; i < 20; i += 1) breaker.record(false, i % 10);
    expect(breaker.reopensAt(9)).toBe(12);
  });

  it('is open only after failures in a row, and never for longer than the longest pause', () => {
    const attempts = fc.array(fc.record({ succeeded: fc.boolean(), after: fc.nat(60) }), { maxLength: 200 });
    fc.assert(
      fc.property(attempts, (list) => {
        const breaker = new EndpointBreaker(policy);
        let now = 0;
        let inRow = 0;
        for (const { succeeded, after } of list) {
          now += after;
          breaker.record(succeeded, now);
          inRow = succeeded ? 0 : inRow + 1;
          if (inRow < policy.failures) expect(breaker.state(now)).toBe('CLOSED');
          else expect(breaker.state(now + 40)).toBe('HALF_OPEN');
        }
      }),
    );
  });
});
