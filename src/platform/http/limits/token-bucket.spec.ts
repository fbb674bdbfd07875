import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BucketTable, TokenBucket, type RateLimit, type RateVerdict } from './token-bucket.js';

const limits = fc.record({
  perSecond: fc.constantFrom(1, 2, 5, 10, 200, 20_000),
  burst: fc.integer({ min: 1, max: 400 }),
});
const calls = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 3_000 }), cost: fc.integer({ min: 1, max: 500 }) }),
  { maxLength: 60 },
);

/** As many tokens as time has brought back, never more than the burst; a larger batch may leave a debt. */
class Bucket {
  private tokens: number;

  constructor(private readonly limit: { perSecond: number; burst: number }) {
    this.tokens = limit.burst;
  }

  pass(ms: number): void {
    this.tokens = Math.min(this.limit.burst, this.tokens + (ms * this.limit.perSecond) / 1_000);
  }

  /** Null when it is a matter of the last bit. */
  allows(cost: number): boolean | null {
    const needed = Math.min(cost, this.limit.burst);
    return Math.abs(this.tokens - needed) < 1e-3 ? null : this.tokens > needed;
  }

  spend(cost: number): void {
    this.tokens -= cost;
  }

  get whole(): number {
    return Math.max(0, this.tokens);
  }
}

/** Buckets by name. */
class Buckets {
  readonly table = new BucketTable(() => new TokenBucket());

  take(key: string, limit: RateLimit, cost: number, at: { now: number; prepaid?: number }): RateVerdict {
    return this.table.of(key, at.now).take(limit, { cost, prepaid: at.prepaid ?? 0 }, at.now);
  }
}

describe('Token buckets', () => {
  it('allows exactly what a bucket of tokens would', () => {
    fc.assert(
      fc.property(limits, calls, (limit, script) => {
        const limiter = new Buckets();
        const bucket = new Bucket(limit);
        let now = 1_000;
        for (const { afterMs, cost } of script) {
          now += afterMs;
          bucket.pass(afterMs);
          const expected = bucket.allows(cost);
          const verdict = limiter.take('a', limit, cost, { now });
          if (expected !== null) expect(verdict.allowed).toBe(expected);
          if (verdict.allowed) bucket.spend(cost);
          expect(Math.abs(verdict.remaining - bucket.whole)).toBeLessThanOrEqual(1.001);
          expect(verdict.remaining).toBeLessThanOrEqual(limit.burst);
        }
      }),
    );
  });

  it('means what it says in Retry-After: then the same request is allowed, and a little earlier it is not', () => {
    fc.assert(
      fc.property(limits, calls, (limit, script) => {
        const limiter = new Buckets();
        let now = 1_000;
        for (const { afterMs, cost } of script) {
          now += afterMs;
          const { allowed, retryAfterSeconds } = limiter.take('a', limit, cost, { now });
          if (allowed) {
            expect(retryAfterSeconds).toBe(0);
            continue;
          }
          const wait = retryAfterSeconds * 1_000;
          if (wait > 1) {
            expect(limiter.take('a', limit, cost, { now: now + wait - 0.01 }).allowed).toBe(false);
          }
          expect(limiter.take('a', limit, cost, { now: now + wait + 0.01 }).allowed).toBe(true);
          now += wait + 0.01;
        }
      }),
    );
  });

  it('takes nothing for what it refuses', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 20 }), (limit, refusals) => {
        const limiter = new Buckets();
        limiter.take('a', limit, limit.burst, { now: 0 });
        for (let i = 0; i < refusals; i += 1) {
          expect(limiter.take('a', limit, 1, { now: 0 }).allowed).toBe(false);
        }
        const oneToken = 1_000 / limit.perSecond;
        expect(limiter.take('a', limit, 1, { now: oneToken }).allowed).toBe(true);
      }),
    );
  });

  it('keeps one caller out of the bucket of another', () => {
    fc.assert(
      fc.property(limits, fc.string(), fc.string(), (limit, one, other) => {
        fc.pre(one !== other);
        const limiter = new Buckets();
        limiter.take(one, limit, limit.burst, { now: 0 });
        expect(limiter.take(other, limit, limit.burst, { now: 0 }).allowed).toBe(true);
      }),
    );
  });

  it('charges a batch for the rest when its first token is paid already', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 400 }), (limit, size) => {
        fc.pre(size <= limit.burst);
        const [apart, together] = [new Buckets(), new Buckets()];
        apart.take('a', limit, 1, { now: 0 });
        expect(apart.take('a', limit, size, { prepaid: 1, now: 0 })).toEqual(
          together.take('a', limit, size, { now: 0 }),
        );
      }),
    );
  });

  it('holds a bounded number of buckets, however many callers there are', () => {
    const limiter = new Buckets();
    const limit = { perSecond: 1, burst: 10 };
    for (let i = 0; i < 120_000; i += 1) limiter.take(`address-${i}`, limit, 1, { now: i });
    expect(limiter.table.size).toBeLessThanOrEqual(50_000);
    expect(limiter.take('address-119999', limit, 10, { now: 120_000 }).allowed).toBe(false);
  });
});
