import { Injectable } from '@nestjs/common';
import { SharedBuckets } from './shared-buckets.js';
import {
  BucketTable,
  msPerToken,
  TokenBucket,
  type TokenPrice,
  type RateLimit,
  type RateVerdict,
} from './token-bucket.js';

export type { RateLimit, RateVerdict } from './token-bucket.js';

// A process leases at most the refill of this many ms, because other processes cannot spend its leased tokens.
const LOT_MS = 10;
// A lot is the tokens leased by one request. If it is spent within SHORT_LOT_MS it was too small, after LONG_LOT_MS too large.
const SHORT_LOT_MS = 20;
const LONG_LOT_MS = 50;
// The shortest pause between two requests to Redis about an empty bucket. Tokens refilled meanwhile are not lost.
const ASK_AGAIN_MS = 5;

/** A bucket as this process knows it: its last state in Redis, and the tokens leased in advance. */
class LeasedBucket extends TokenBucket {
  private leased = 0;
  private leasedUntil = 0;
  private lotSize = 1;
  private leasedAt = 0;
  private fetchedForWaiting = 0;
  waiting = 0;
  /** Before this time no token can have been refilled. */
  emptyUntil = 0;
  refusedUntil = 0;
  /** True if this process spent tokens while Redis was unavailable; the next request to Redis subtracts them there. */
  spentAlone = false;
  lease: Promise<void> | null = null;

  /**
   * Returns the number of leased tokens. They expire when the bucket would be full again if they had stayed in it:
   * otherwise leased and refilled tokens could together exceed the burst.
   */
  inHand(limit: RateLimit, now: number): number {
    if (this.leased === 0) return 0;
    this.leased = Math.max(
      0,
      Math.min(this.leased, Math.floor((this.leasedUntil - now) / msPerToken(limit) + 0.01)),
    );
    return this.leased;
  }

  spendOne(): void {
    this.leased -= 1;
  }

  /** Drops the leased tokens and returns their number. */
  handBack(limit: RateLimit, now: number): number {
    const tokens = this.inHand(limit, now);
    this.leased = 0;
    return tokens;
  }

  /** True if half of a large lot is spent: the next lot is then fetched before a caller has to wait for it. */
  isLow(): boolean {
    return this.lotSize >= 4 && this.leased <= this.lotSize / 2;
  }

  /** Returns the size of the next lot: by how long the last lot lasted, and enough for all waiting callers. */
  nextLot(limit: RateLimit, now: number): number {
    const most = Math.max(1, Math.floor((limit.perSecond * LOT_MS) / 1_000));
    const lasted = now - this.leasedAt;
    if (lasted < SHORT_LOT_MS) this.lotSize *= 2;
    else if (lasted > LONG_LOT_MS) this.lotSize = 1;
    this.lotSize = Math.min(this.lotSize, most);
    this.leasedAt = now;
    return Math.max(this.lotSize, Math.min(this.waiting, limit.burst));
  }

  /** Adds tokens from Redis: waiting callers are served first, the rest is leased. */
  receive(limit: RateLimit, tokens: number, now: number): void {
    const forWaiting = Math.min(tokens, this.waiting - this.fetchedForWaiting);
    this.fetchedForWaiting += forWaiting;
    this.leased = this.inHand(limit, now) + tokens - forWaiting;
    this.leasedUntil = this.fullAt;
  }

  /** Takes a token that was fetched for a waiting caller; false if there is none. */
  collect(): boolean {
    if (this.fetchedForWaiting === 0) return false;
    this.fetchedForWaiting -= 1;
    return true;
  }
}

/**
 * Token buckets that all API processes share. Each process leases tokens from Redis in small lots, sized by how fast
 * it spends them. So a busy application does not cost a message to Redis per request, and the limit over all processes
 * is exact. Without Redis, or while it is unavailable, each process limits alone, from the last known state.
 */
@Injectable()
export class RateLimiter {
  private readonly buckets = new BucketTable(() => new LeasedBucket());

  constructor(private readonly sharedBuckets: SharedBuckets) {}

  /**
   * Spends `cost` tokens of the bucket, of which `prepaid` were spent before; none if there are not enough. Returns
   * a verdict while it has leased tokens, and a promise if it needs an answer of Redis.
   */
  take(
    key: string,
    limit: RateLimit,
    cost = 1,
    { prepaid = 0 }: { readonly prepaid?: number } = {},
  ): RateVerdict | Promise<RateVerdict> {
    const now = performance.now();
    const bucket = this.buckets.of(key, now);
    if (!this.sharedBuckets.usable) return this.limitAlone(bucket, limit, { cost, prepaid }, now);
    if (cost !== 1 || prepaid !== 0) return this.takeSeveral(key, bucket, limit, { cost, prepaid });
    if (bucket.inHand(limit, now) > 0) {
      bucket.spendOne();
      if (bucket.lease === null && bucket.isLow() && now >= bucket.refusedUntil) {
        void this.fetchLot(key, bucket, limit);
      }
      return bucket.verdict(limit, now, 0, bucket.inHand(limit, now));
    }
    if (now < bucket.refusedUntil) return refusalOf(bucket, limit, now);
    return this.takeOne(key, bucket, limit);
  }

  /** Takes one token from Redis; all waiting callers share one message. */
  private async takeOne(key: string, bucket: LeasedBucket, limit: RateLimit): Promise<RateVerdict> {
    bucket.waiting += 1;
    try {
      for (;;) {
        await (bucket.lease ?? this.fetchLot(key, bucket, limit));
        const now = performance.now();
        if (bucket.collect()) return bucket.verdict(limit, now, 0, bucket.inHand(limit, now));
        if (!this.sharedBuckets.usable) return this.limitAlone(bucket, limit, { cost: 1, prepaid: 0 }, now);
        if (now < bucket.refusedUntil) return refusalOf(bucket, limit, now);
      }
    } finally {
      bucket.waiting -= 1;
    }
  }

  private fetchLot(key: string, bucket: LeasedBucket, limit: RateLimit): Promise<void> {
    bucket.lease = this.lease(key, bucket, limit).finally(() => (bucket.lease = null));
    return bucket.lease;
  }

  private async lease(key: string, bucket: LeasedBucket, limit: RateLimit): Promise<void> {
    const askedAt = performance.now();
    const tokens = bucket.nextLot(limit, askedAt);
    const grant = await this.sharedBuckets.take(key, limit, {
      tokens,
      wholly: false,
      returned: 0,
      prepaid: 0,
      lackMs: lackOf(bucket, askedAt),
    });
    if (!grant) return;
    const now = performance.now();
    this.recordState(bucket, grant.fullInMs, now);
    if (grant.granted > 0) {
      bucket.receive(limit, grant.granted, now);
      return;
    }
    bucket.emptyUntil = now + grant.waitMs;
    bucket.refusedUntil =
      now + Math.max(grant.waitMs, Math.min(ASK_AGAIN_MS, (limit.burst * msPerToken(limit)) / 4));
  }

  /** Takes several tokens, all or none, in one message, which first returns the leased tokens. */
  private async takeSeveral(
    key: string,
    bucket: LeasedBucket,
    limit: RateLimit,
    price: TokenPrice,
  ): Promise<RateVerdict> {
    const askedAt = performance.now();
    const grant = await this.sharedBuckets.take(key, limit, {
      tokens: price.cost,
      wholly: true,
      returned: bucket.handBack(limit, askedAt),
      prepaid: price.prepaid,
      lackMs: lackOf(bucket, askedAt),
    });
    const now = performance.now();
    if (!grant) return this.limitAlone(bucket, limit, price, now);
    this.recordState(bucket, grant.fullInMs, now);
    return bucket.verdict(limit, now, grant.granted > 0 ? 0 : grant.waitMs);
  }

  private recordState(bucket: LeasedBucket, fullInMs: number, now: number): void {
    bucket.fullAt = now + fullInMs;
    bucket.spentAlone = false;
  }

  /** Limits without Redis, by the state that this process knows. */
  private limitAlone(bucket: LeasedBucket, limit: RateLimit, price: TokenPrice, now: number): RateVerdict {
    bucket.fullAt = Math.max(now, bucket.fullAt - bucket.handBack(limit, now) * msPerToken(limit));
    bucket.spentAlone = true;
    return bucket.take(limit, price, now);
  }
}

const lackOf = (bucket: LeasedBucket, now: number): number =>
  bucket.spentAlone ? Math.max(0, bucket.fullAt - now) : 0;

const refusalOf = (bucket: LeasedBucket, limit: RateLimit, now: number): RateVerdict =>
  bucket.verdict(limit, now, Math.max(bucket.emptyUntil, bucket.refusedUntil) - now);
