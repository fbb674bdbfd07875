import { Injectable } from '@nestjs/common';

export interface RateLimit {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens that may be spent at once. */
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

// Keys come from callers (addresses), so their number has to be bounded.
const MAX_BUCKETS = 50_000;

/**
 * Token buckets as GCRA (the generic cell rate algorithm): one number per bucket, no timers. The buckets are those
 * of this process: with n API processes an application gets up to n times its limit.
 */
@Injectable()
export class RateLimiter {
  /** Per key, the time at which its bucket will be full again, in milliseconds of the monotonic clock. */
  private readonly fullAt = new Map<string, number>();

  /** Spends `cost` tokens of the bucket, or none at all when there are not enough; `prepaid` of them are spent already. */
  take(key: string, limit: RateLimit, cost = 1, { prepaid = 0, now = performance.now() } = {}): RateVerdict {
    const msPerToken = 1_000 / limit.perSecond;
    const capacityMs = limit.burst * msPerToken;
    const fullAt = Math.max(this.fullAt.get(key) ?? now, now);
    const wanted = Math.max(fullAt - prepaid * msPerToken, now) + cost * msPerToken;
    // A batch larger than the burst is let through a full bucket and leaves a debt; otherwise it never could be.
    const roomMs = Math.max(capacityMs, cost * msPerToken);
    const allowed = wanted - now <= roomMs + 1e-6;
    const settled = allowed ? wanted : fullAt;
    if (allowed) this.store(key, wanted, now);
    return {
      allowed,
      remaining: Math.max(0, Math.floor((capacityMs - (settled - now)) / msPerToken + 1e-6)),
      resetSeconds: Math.ceil((settled - now) / 1_000),
      retryAfterSeconds: allowed ? 0 : Math.max(0.001, (wanted - now - roomMs) / 1_000),
    };
  }

  private store(key: string, fullAt: number, now: number): void {
    if (this.fullAt.size >= MAX_BUCKETS && !this.fullAt.has(key)) this.forget(now);
    this.fullAt.set(key, fullAt);
  }

  /** Full buckets say nothing; when all are in use the oldest half goes, which errs on the side of the caller. */
  private forget(now: number): void {
    for (const [key, fullAt] of this.fullAt) if (fullAt <= now) this.fullAt.delete(key);
    let excess = this.fullAt.size - MAX_BUCKETS / 2;
    if (this.fullAt.size < MAX_BUCKETS) return;
    for (const key of this.fullAt.keys()) {
      if (excess <= 0) return;
      this.fullAt.delete(key);
      excess -= 1;
    }
  }
}
