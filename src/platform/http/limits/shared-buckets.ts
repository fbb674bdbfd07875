import { createHash } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { readOf, readRedisUrl, Settings } from '../../config/index.js';
import { msPerToken, type RateLimit } from './token-bucket.js';

export interface TokenRequest {
  readonly tokens: number;
  /** True: all tokens or none. False: as many as there are. */
  readonly wholly: boolean;
  /** Leased tokens that were not spent, which are returned first. */
  readonly returned: number;
  /** How many of `tokens` were spent before. */
  readonly prepaid: number;
  /** The time to refill the tokens that this process spent while Redis was unavailable, in milliseconds. */
  readonly lackMs: number;
}

export interface TokenGrant {
  readonly granted: number;
  readonly fullInMs: number;
  /** Milliseconds until the request could succeed; 0 if it did. */
  readonly waitMs: number;
}

// The value of a key is the time at which the bucket is full again, in microseconds of the clock of Redis, which is the
// same for all processes.
const DRAW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local per, burst, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local wholly, returned, prepaid, lack = ARGV[4] == '1', tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
  local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now, now + lack)
  full = math.max(full - returned * per, now)
  local room, granted, wait = burst * per, 0, 0
  if wholly then
    local wanted = math.max(full - prepaid * per, now) + tokens * per
    room = math.max(room, tokens * per)
    if wanted - now <= room + 1 then granted = tokens; full = wanted else wait = wanted - now - room end
  else
    granted = math.max(0, math.min(tokens, math.floor((room - (full - now)) / per + 0.001)))
    if granted > 0 then full = full + granted * per else wait = full + per - now - room end
  end
  if full > now then
    redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', string.format('%.0f', (full - now) / 1000 + 1000))
  end
  return { granted, math.ceil(full - now), math.ceil(wait) }`;

type DrawCommand = (key: string, ...values: (string | number)[]) => Promise<[number, number, number]>;

// The timeout for Redis; after it, this process alone limits the request.
const ANSWER_MS = 250;
const PAUSE_MS = 1_000;
const CONNECT_MS = 1_000;

/** The buckets in Redis; not usable without Redis, and for a second after each failure. */
@Injectable()
export class SharedBuckets implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('RateLimits');
  private readonly redis: Redis | null;
  private readonly drawCommand: DrawCommand | null;
  private awayUntil = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly settings: Settings) {
    this.redis =
      settings.redisUrl === null || settings.role === 'worker' ? null : this.connect(settings.redisUrl);
    this.redis?.defineCommand('vigiaDraw', { numberOfKeys: 1, lua: DRAW });
    const commands = this.redis as unknown as { vigiaDraw: DrawCommand } | null;
    this.drawCommand = commands ? commands.vigiaDraw.bind(commands) : null;
  }

  /** Waits at most a second for the connection, so that Redis counts even the first requests. */
  async onModuleInit(): Promise<void> {
    const { redis } = this;
    if (!redis) return;
    const patience = new Promise<void>((resolve) => setTimeout(resolve, CONNECT_MS).unref());
    await Promise.race([redis.connect().catch(() => undefined), patience]);
  }

  beforeApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** False if this process has to limit alone. */
  get usable(): boolean {
    return this.redis?.status === 'ready' && performance.now() >= this.awayUntil;
  }

  /** Takes tokens out of a bucket in one message; null if Redis failed or did not answer in time. */
  async take(key: string, limit: RateLimit, draw: TokenRequest): Promise<TokenGrant | null> {
    if (!this.drawCommand) return null;
    try {
      const [granted, fullIn, wait] = await this.drawCommand(
        this.nameOf(key),
        1_000 * msPerToken(limit),
        limit.burst,
        draw.tokens,
        draw.wholly ? 1 : 0,
        draw.returned,
        draw.prepaid,
        Math.ceil(1_000 * draw.lackMs),
      );
      return { granted, fullInMs: fullIn / 1_000, waitMs: wait / 1_000 };
    } catch (error) {
      this.awayUntil = performance.now() + PAUSE_MS;
      this.report(error);
      return null;
    }
  }

  /** Hashes a key, because it has an address or an unverified client id, which must not get into Redis. */
  private nameOf(key: string): string {
    const digest = createHash('sha256').update(key).digest('base64url').slice(0, 22);
    return `${this.settings.queuePrefix}:rate:${digest}`;
  }

  private connect(url: string): Redis {
    const redis = new Redis({
      ...readOf('REDIS_URL', readRedisUrl(url)),
      lazyConnect: true,
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      commandTimeout: ANSWER_MS,
      connectTimeout: 5_000,
      retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1_000),
    });
    redis.on('error', (error: Error) => {
      this.report(error);
    });
    return redis;
  }

  /** Logs an error of Redis, at most once in 10 s: while it is unavailable, every attempt fails. */
  private report(error: unknown): void {
    const now = performance.now();
    if (now - this.loggedAt < 10_000) return;
    this.loggedAt = now;
    this.logger.warn(
      `limits are those of this process alone: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  }
}
