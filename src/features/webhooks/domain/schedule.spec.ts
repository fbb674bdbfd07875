import { describe, expect, it } from '@jest/globals';
import { nextAttemptAfter, retryAfterSeconds, type AttemptContext, type AttemptResult } from './schedule.js';

const now = new Date('2026-11-20T12:00:00Z');
const schedule = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const after = (attempt: number, random = 0.5): AttemptContext => ({ attempt, schedule, random, now });
const answer = (statusCode: number, retryAfter: string | null = null): AttemptResult => ({
  statusCode,
  errorCode: null,
  retryAfter,
});

describe('judgeAttempt', () => {
  it.each([200, 201, 202, 204, 299])('takes %d as delivered', (status) => {
    expect(nextAttemptAfter(answer(status), after(1))).toEqual({ status: 'DELIVERED', error: null });
  });

  it.each([
    [301, 'REDIRECT_NOT_FOLLOWED'],
    [307, 'REDIRECT_NOT_FOLLOWED'],
    [400, 'HTTP_400'],
    [404, 'HTTP_404'],
    [429, 'HTTP_429'],
    [500, 'HTTP_500'],
    [599, 'HTTP_599'],
  ])('tries again after %d', (status, error) => {
    expect(nextAttemptAfter(answer(status), after(1))).toMatchObject({ status: 'PENDING', error });
  });

  it('tries again after an error, even when a status had arrived before it', () => {
    const cut = { statusCode: 200, errorCode: 'ECONNRESET', retryAfter: null };
    expect(nextAttemptAfter(cut, after(1))).toMatchObject({ status: 'PENDING', error: 'ECONNRESET' });
  });

  it('cancels on 410', () => {
    expect(nextAttemptAfter(answer(410), after(1))).toEqual({ status: 'CANCELLED', error: 'ENDPOINT_GONE' });
  });

  it('waits as the schedule says, 75 h 35 min in all, and is then exhausted', () => {
    let waited = 0;
    for (let attempt = 1; attempt < schedule.length; attempt += 1) {
      const verdict = nextAttemptAfter(answer(500), after(attempt));
      if (verdict.status !== 'PENDING') throw new Error(`attempt ${attempt} was the last`);
      expect(verdict.delaySeconds).toBeCloseTo(schedule[attempt] ?? Number.NaN, 6);
      waited += verdict.delaySeconds;
    }
    expect(waited).toBeCloseTo(75 * 3_600 + 35 * 60 + 5, 6);
    expect(nextAttemptAfter(answer(500), after(10))).toEqual({ status: 'EXHAUSTED', error: 'HTTP_500' });
  });

  it('spreads the waits by 20 % to either side', () => {
    expect(nextAttemptAfter(answer(500), after(2, 0))).toMatchObject({ delaySeconds: 240 });
    expect(nextAttemptAfter(answer(500), after(2, 1))).toMatchObject({ delaySeconds: 360 });
  });

  it('honours Retry-After when it is longer than the schedule', () => {
    expect(nextAttemptAfter(answer(503, '120'), after(1))).toMatchObject({ delaySeconds: 120 });
    expect(nextAttemptAfter(answer(503, '1'), after(2))).toMatchObject({ delaySeconds: 300 });
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    ['0', 0],
    ['90', 90],
    [' 90 ', 90],
    ['999999', 21_600],
    ['Fri, 20 Nov 2026 12:02:00 GMT', 120],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Sat, 20 Nov 2027 12:00:00 GMT', 21_600],
  ])('reads %p as %d s', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds);
  });

  it.each([null, '', '-5', '1.5', 'soon', 'never GMT', '2026-11-20', '12345678901'])(
    'ignores %p',
    (value) => {
      expect(retryAfterSeconds(value, now)).toBeNull();
    },
  );
});
