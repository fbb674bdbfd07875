export interface RateLimit {
  /** Tokens that are refilled each second. */
  readonly perSecond: number;
  /** Tokens in a full bucket. */
  readonly burst: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until this request would be allowed; 0 when it is. */
  readonly retryAfterSeconds: number;
}

/** The tokens that a call costs, and how many of them were spent before. */
export interface TokenPrice {
  readonly cost: number;
  readonly prepaid: number;
}

/** Milliseconds until one token is refilled. */
export const msPerToken = (limit: RateLimit): number => 1_000 / limit.perSecond;

/** A token bucket by GCRA (generic cell rate algorithm): one number, no timers. Times are monotonic milliseconds. */
export class TokenBucket {
  /** Time at which the bucket is full again. */
  fullAt = 0;

  /** Spends `cost` tokens, or none at all when there are not enough. */
  take(limit: RateLimit, { cost, prepaid }: TokenPrice, now: number): RateVerdict {
    const ms = msPerToken(limit);
    const fullAt = Math.max(this.fullAt, now);
    const takenUntil = Math.max(fullAt - prepaid * ms, now) + cost * ms;
    // A batch larger than the burst is allowed if the bucket is full, and leaves a debt. Else it would never be allowed.
    const roomMs = Math.max(limit.burst * ms, cost * ms);
    const allowed = takenUntil - now <= roomMs + 1e-6;
    if (allowed) this.fullAt = takenUntil;
    return this.verdict(limit, now, allowed ? 0 : takenUntil - now - roomMs);
  }

  /** Returns the state of the bucket. `waitMs` is 0 if allowed; `held` is the number of leased, unspent tokens. */
  verdict(limit: RateLimit, now: number, waitMs: number, held = 0): RateVerdict {
    const ms = msPerToken(limit);
    const missingMs = Math.max(0, this.fullAt - now);
    const allowed = waitMs <= 0;
    return {
      allowed,
      remaining: Math.max(0, Math.min(limit.burst, Math.floor(limit.burst - missingMs / ms + held + 1e-6))),
      resetSeconds: Math.ceil(missingMs / 1_000),
      retryAfterSeconds: allowed ? 0 : Math.max(0.001, waitMs / 1_000),
    };
  }
}

// Callers determine the keys (addresses), so their number has to be bounded.
const MAX_BUCKETS = 50_000;

/** One bucket per key, at most MAX_BUCKETS. Full buckets are dropped first. */
export class BucketTable<B extends TokenBucket> {
  private readonly buckets = new Map<string, B>();

  constructor(private readonly makeBucket: () => B) {}

  get size(): number {
    return this.buckets.size;
  }

  of(key: string, now: number): B {
    let bucket = this.buckets.get(key);
    if (!bucket) {
      if (this.buckets.size >= MAX_BUCKETS) this.dropBuckets(now);
      bucket = this.makeBucket();
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  /**
   * Drops full buckets, because a new bucket is full. If too many are in use, drops the oldest, whose callers then
   * start with a full bucket.
   */
  private dropBuckets(now: number): void {
    for (const [key, { fullAt }] of this.buckets) if (fullAt <= now) this.buckets.delete(key);
    if (this.buckets.size < MAX_BUCKETS) return;
    let excess = this.buckets.size - MAX_BUCKETS / 2;
    for (const key of this.buckets.keys()) {
      if (excess <= 0) return;
      this.buckets.delete(key);
      excess -= 1;
    }
  }
}
