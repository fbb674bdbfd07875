import { Agent } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import {
  systemActorContext,
  COMMAND_LINE,
  OperatorsService,
  Passwords,
} from '../../src/features/operators/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { RateLimiter, type RateLimit, type RateVerdict } from '../../src/platform/http/index.js';
import { SharedBuckets, type TokenGrant } from '../../src/platform/http/limits/shared-buckets.js';
import type { Answer } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { promised } from '../support/needs.js';
import { send } from '../support/raw-http.js';
import { expectWithin, isHeavy } from '../support/timing.js';
import { Wire } from '../support/wire.js';

/** Two API processes on one database and one Redis. */
let one: TestApp;
let other: TestApp;

beforeAll(async () => {
  one = await startTestApp({ settings: { role: 'api' } });
  other = await startTestApp({ like: one });
});

afterAll(async () => {
  await other.close();
  await one.close();
});

const limiters = (): RateLimiter[] => [one.app.get(RateLimiter), other.app.get(RateLimiter)];
/** Tokens a second: none comes back during a test, however slow the machine. */
const HARDLY = 0.001;
let keys = 0;
const newKey = (): string => `test-${(keys += 1)}-${Date.now()}`;

/**
 * Counts what Redis grants meanwhile. A Redis that a busy machine keeps from answering in time is away, and each process
 * limits by itself, which is another test: once more.
 */
async function whileShared(work: (granted: () => Promise<number>) => Promise<void>): Promise<void> {
  for (let round = 1; ; round += 1) {
    const said = jest.spyOn(SharedBuckets.prototype, 'take');
    const grants = (): Promise<(TokenGrant | null)[]> =>
      Promise.all(said.mock.results.map(({ value }) => value as Promise<TokenGrant | null>));
    const granted = async (): Promise<number> =>
      (await grants()).reduce((sum, grant) => sum + (grant?.granted ?? 0), 0);
    try {
      await work(granted);
      return;
    } catch (error) {
      if (round === 5 || (await grants()).every((grant) => grant !== null)) throw error;
      await eventually('Redis answers again', () => one.app.get(SharedBuckets).usable);
    } finally {
      said.mockRestore();
    }
  }
}

/** Asks both processes without pause, many questions at once; what was allowed, and how long it took at most and at least. */
async function saturate(
  key: string,
  limit: RateLimit,
  seconds: number,
): Promise<{ allowed: number; atMost: number; atLeast: number }> {
  // Enough at once that a busy machine, with a hundred turns of the event loop a second, still asks for more than there is.
  const width = Math.max(20, limit.perSecond / 100);
  const from = performance.now();
  // A bucket that is nearly full may be full again before the questions come fast.
  let allowed = limit.burst / 2;
  await limiters()[0]?.take(key, limit, allowed);
  const begun = performance.now();
  const ask = async (limiter: RateLimiter): Promise<void> => {
    for (;;) {
      const verdict = await limiter.take(key, limit);
      const now = performance.now();
      if (verdict.allowed) allowed += 1;
      // Ends when there is nothing left to have. Where there always is a little, it ends a second later.
      if (now - from > (verdict.allowed ? seconds + 1 : seconds) * 1_000) return;
      // The turn of the event loop that a request costs.
      await (verdict.allowed ? turn() : sleep(1));
    }
  };
  await Promise.all(limiters().flatMap((limiter) => Array.from({ length: width }, () => ask(limiter))));
  const atLeast = performance.now() - begun;
  // Tokens come back also after the last question.
  const rest = { tokens: limit.burst, wholly: false, returned: 0, prepaid: 0, lackMs: 0 };
  const left = await one.app.get(SharedBuckets).take(key, limit, rest);
  allowed += left?.granted ?? 0;
  return { allowed, atMost: performance.now() - from, atLeast };
}

const spend = async (
  limiter: RateLimiter | undefined,
  key: string,
  limit: RateLimit,
): Promise<RateVerdict> => {
  if (!limiter) throw new Error('there are two processes');
  return limiter.take(key, limit);
};

const ingest = (client: TestClient, url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${url}/kyt/transactions/ingest`, {
    headers: {
      'content-type': 'application/json',
      'x-client-id': client.clientId,
      'x-client-secret': client.clientSecret,
      ...headers,
    },
    body: JSON.stringify(aTransaction()),
    agent,
  });
/** A client, an operator of its organisation with a password, and how anybody logs in. */
async function withPassword(app: TestApp): Promise<{
  client: TestClient & { readonly email: string };
  login: (email: string, address: string) => Promise<number>;
}> {
  const client = await app.client();
  const password = 'jardim-cobre-7-planalto';
  const passwordHash = await app.app.get(Passwords).hash(password, COMMAND_LINE);
  const email = `op-${Date.now()}@example.com`;
  const { organisationId } = client;
  await app.app
    .get(UnitOfWork)
    .run(organisationId, (tx) =>
      app.app
        .get(OperatorsService)
        .addPerson(
          tx,
          { organisationId, email, name: 'Ana', roles: ['AUDITOR'], passwordHash },
          systemActorContext('test'),
        ),
    );
  const login = async (as: string, address: string): Promise<number> => {
    const body = JSON.stringify({ email: as, password });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    return (await send(`${app.url}/operator/auth/login`, { headers, body })).status;
  };
  return { client: { ...client, email }, login };
}

const agent = new Agent({ keepAlive: true, maxSockets: 40 });
const statuses = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('Token buckets shared through Redis', () => {
  promised.each([
    { perSecond: 200, burst: 1_000 },
    { perSecond: 2_000, burst: 6_000 },
    { perSecond: 6_000, burst: 6_000 },
  ])('two processes together allow burst + rate x time, and lose but what is in hand: %j', async (limit) => {
    // ASVS 2.3.2
    await whileShared(async (granted) => {
      const { allowed, atMost, atLeast } = await saturate(newKey(), limit, 2);
      const [all, exact] = [await granted(), limit.burst + (limit.perSecond * atMost) / 1_000];
      process.stdout.write(
        `rate limit ${limit.perSecond}/s burst ${limit.burst}: ${allowed} of ${exact.toFixed(0)}\n`,
      );
      // Redis gave all that there was between the first question and the last, and no more. Its clock is another one than
      // that of the test: each runs up to 0.05 % fast or slow while it is being set right.
      const inexact = 1 + (limit.perSecond * atMost * 0.001) / 1_000;
      expect(all).toBeLessThanOrEqual(exact + inexact);
      // Nobody could ask fast enough on a machine that does other work too.
      if (isHeavy) {
        expect(all).toBeGreaterThanOrEqual(limit.burst + (limit.perSecond * atLeast) / 1_000 - inexact);
      }
      expect(allowed).toBeLessThanOrEqual(all);
      // Each process has a lot in hand, and fetches the next one.
      expect(all - allowed).toBeLessThanOrEqual(4 * Math.max(1, limit.perSecond / 100));
    });
  });

  promised('over HTTP too: two processes accept as much as one would', async () => {
    await whileShared(async () => {
      const client = await one.client({ perSecond: 30, burst: 300 });
      const from = performance.now();
      const answers: Answer[] = [];
      let slowestMs = 0;
      const caller = async (url: string): Promise<void> => {
        for (;;) {
          const askedAt = performance.now();
          const answer = await ingest(client, url);
          answers.push(answer);
          slowestMs = Math.max(slowestMs, performance.now() - askedAt);
          if (answer.status === 429 && performance.now() - from > 3_000) return;
        }
      };
      await Promise.all([one.url, other.url].flatMap((url) => [caller(url), caller(url), caller(url)]));
      const exact = 300 + (30 * (performance.now() - from)) / 1_000;
      process.stdout.write(`over HTTP: ${statuses(answers, 202)} of ${exact.toFixed(0)}\n`);
      expect(statuses(answers, 202)).toBeLessThanOrEqual(exact * 1.01);
      // Nobody asks for tokens that come back while the last answers are on their way.
      if (isHeavy) {
        expect(statuses(answers, 202)).toBeGreaterThanOrEqual((exact - (2 * 30 * slowestMs) / 1_000) * 0.99);
      }
      expect(statuses(answers, 202) + statuses(answers, 429)).toBe(answers.length);
    });
  });

  it('never allows more than the burst at once, whatever lay in hand before', async () => {
    const limit = { perSecond: 1_000, burst: 50 };
    for (let round = 0; round < 5; round += 1) {
      const key = newKey();
      const [first, second] = limiters();
      // Both take lots that grow, then leave them alone while the bucket fills up again.
      for (let i = 0; i < 30; i += 1) await spend(i % 2 === 0 ? first : second, key, limit);
      await sleep(100);
      const from = performance.now();
      const verdicts = await Promise.all(
        Array.from({ length: 200 }, (_, i) => spend(i % 2 === 0 ? first : second, key, limit)),
      );
      const returned = ((performance.now() - from) / 1_000) * limit.perSecond;
      expect(verdicts.filter((verdict) => verdict.allowed).length).toBeLessThanOrEqual(
        limit.burst + returned + 1,
      );
    }
  });

  it('Retry-After means what it says, in the other process too', async () => {
    const [key, limit] = [newKey(), { perSecond: 5, burst: 3 }];
    const [first, second] = limiters();
    for (let i = 0; i < 3; i += 1) expect((await first?.take(key, limit))?.allowed).toBe(true);
    // Meanwhile a token may have come back.
    const refused = await eventually('the other one refuses', async () => {
      const verdict = await second?.take(key, limit);
      return verdict?.allowed === false && verdict;
    });
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    await sleep(refused.retryAfterSeconds * 1_000 + 5);
    expect((await second?.take(key, limit))?.allowed).toBe(true);
  });

  it('a batch costs a token per item, all or none, and what lies in hand counts for it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        async (singles, batch) => {
          const [key, limit] = [newKey(), { perSecond: HARDLY, burst: 50 }];
          const [first, second] = limiters();
          let left = 50;
          for (let i = 0; i < singles; i += 1) {
            const verdict = await (i % 2 === 0 ? first : second)?.take(key, limit);
            expect(verdict?.allowed).toBe(left > 0);
            if (left > 0) left -= 1;
          }
          const verdict = await first?.take(key, limit, batch);
          expect(verdict?.allowed).toBe(batch <= left);
          expect(verdict?.remaining).toBe(batch <= left ? left - batch : left);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('costs far less than one message per request when an application is busy', async () => {
    const key = newKey();
    const limit = { perSecond: 20_000, burst: 40_000 };
    const [limiter] = limiters();
    // Others use the same Redis: what this process says to it is what is counted.
    const said = jest.spyOn(one.app.get(SharedBuckets), 'take');
    try {
      const cpu = process.cpuUsage();
      let took = 0;
      for (let round = 0; round < 200; round += 1) {
        for (let i = 0; i < 100; i += 1) if ((await limiter?.take(key, limit))?.allowed) took += 1;
        await turn();
      }
      const used = process.cpuUsage(cpu);
      const messages = said.mock.calls.length;
      const micros = ((used.user + used.system) / took).toFixed(1);
      process.stdout.write(`${took} tokens by ${messages} messages, at most ${micros} us of CPU each\n`);
      expect(messages).toBeGreaterThan(0);
      expect(messages).toBeLessThan(took / 10);
    } finally {
      said.mockRestore();
    }
  });

  it('Redis holds neither addresses nor what callers claim as their id', async () => {
    await ingest({ clientId: 'CANARY-id', clientSecret: 'x' } as TestClient, one.url);
    const redis = new Redis(one.settings.redisUrl ?? '');
    try {
      const keys = await redis.keys(`${one.settings.queuePrefix}:rate:*`);
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.join()).not.toMatch(/CANARY|127\.0\.0\.1|app-/);
      // -1 is a key that stays for ever; -2 one that is gone by now.
      for (const key of keys) expect(await redis.pttl(key)).not.toBe(-1);
    } finally {
      redis.disconnect();
    }
  });
});

describe('an attacker with wrong secrets', () => {
  it('leaves all valid calls of its victim untouched, and gains nothing by X-Forwarded-For', async () => {
    // ASVS 2.4.1
    const strict = await startTestApp({
      like: one,
      settings: { rateLimitFailuresPerMinute: 10, rateLimitPublicPerMinute: 60 },
    });
    try {
      const victim = await strict.client({ perSecond: 1_000, burst: 2_000 });
      const from = performance.now();
      // Ten failures a minute are borne.
      const borne = (): number => 10 + Math.ceil((performance.now() - from) / 6_000);
      const attack = Array.from({ length: 300 }, (_, i) =>
        ingest({ ...victim, clientSecret: `guess-${i}` }, strict.url, { 'x-forwarded-for': `192.0.2.${i}` }),
      );
      const calls = Array.from({ length: 100 }, () => ingest(victim, strict.url));
      const [attacked, served] = await Promise.all([Promise.all(attack), Promise.all(calls)]);
      expect(statuses(served, 202)).toBe(100);
      const failed = statuses(attacked, 401);
      expect(failed).toBeGreaterThanOrEqual(10);
      expect(failed).toBeLessThanOrEqual(borne());
      expect(failed + statuses(attacked, 429)).toBe(300);
      // A failure counted in one process counts in the other.
      const elsewhere = await startTestApp({ like: strict });
      try {
        let more = 0;
        while ((await ingest({ ...victim, clientSecret: 'guess' }, elsewhere.url)).status === 401) more += 1;
        expect(failed + more).toBeLessThanOrEqual(borne());
        expect((await ingest(victim, elsewhere.url)).status).toBe(202);
      } finally {
        await elsewhere.close();
      }
    } finally {
      await strict.close();
    }
  });

  it('behind a trusted proxy each address has a bucket of its own', async () => {
    // ASVS 15.3.4
    const proxied = await startTestApp({
      like: one,
      settings: { rateLimitFailuresPerMinute: 2, trustProxy: ['127.0.0.0/8'] },
    });
    try {
      const victim = await proxied.client();
      const guess = (address: string): Promise<Answer> =>
        ingest({ ...victim, clientSecret: 'guess' }, proxied.url, { 'x-forwarded-for': address });
      const answers = [];
      for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
        answers.push(await guess(address));
      }
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 429, 401]);
      // A client that names somebody before itself is still known by the address that the proxy saw.
      expect((await guess('198.51.100.9, 192.0.2.1')).status).toBe(429);
    } finally {
      await proxied.close();
    }
  });
});

describe('an attacker who changes the client id, or the address within a network', () => {
  promised(
    'over a /64 and over ids is refused from the eleventh on, while a right login from elsewhere is served',
    async () => {
      const proxied = await startTestApp({
        like: one,
        settings: {
          rateLimitFailuresPerMinute: 10,
          // So that it is the work on passwords that the flood takes.
          rateLimitPublicPerMinute: 1_000_000,
          strangerPasswordsPerSecond: 5,
          trustProxy: ['127.0.0.0/8'],
        },
      });
      let over = false;
      let flood: Promise<void>[] = [];
      try {
        const { client, login } = await withPassword(proxied);
        const site = `2001:db8:${(Date.now() % 0xffff).toString(16)}:1`;
        const host = (): string => `${site}::${(1 + Math.floor(Math.random() * 0xfffe)).toString(16)}`;
        flood = Array.from({ length: 20 }, async (_, i) => {
          for (let n = 0; !over; n += 1) {
            await login(`a${i}-${n}@example.com`, host());
            await sleep(50);
          }
        });
        await eventually(
          'passwords wait in line',
          async () => (await login('a@example.com', host())) === 503,
        );

        const from = performance.now();
        const attack = Array.from({ length: 600 }, (_, i) =>
          ingest({ ...client, clientId: `guess-${i}` }, proxied.url, { 'x-forwarded-for': host() }),
        );
        const begun = performance.now();
        expect(await login(client.email, '2001:db9::7')).toBe(200);
        const served = performance.now();
        expectWithin(1_000, begun, served);
        // Alone it takes a tenth of a second, and where everybody stood in one line it took twelve.
        expect(served - begun).toBeLessThan(10_000);

        const answers = await Promise.all(attack);
        const borne = 10 + Math.ceil((performance.now() - from) / 6_000);
        expect(statuses(answers, 401)).toBeGreaterThanOrEqual(10);
        expect(statuses(answers, 401)).toBeLessThanOrEqual(borne);
        expect(statuses(answers, 401) + statuses(answers, 429)).toBe(600);
        // Right credentials from the same network go on.
        expect((await ingest(client, proxied.url, { 'x-forwarded-for': host() })).status).toBe(202);
      } finally {
        over = true;
        await Promise.all(flood);
        await proxied.close();
      }
    },
  );

  it('with IPv6 is one caller in a /64, and bounded in a /56 and a /48', async () => {
    const proxied = await startTestApp({
      like: one,
      settings: { rateLimitFailuresPerMinute: 2, trustProxy: ['127.0.0.0/8'] },
    });
    try {
      const victim = await proxied.client();
      const failures = async (addresses: readonly string[]): Promise<number> => {
        let count = 0;
        for (const address of addresses) {
          const guess = { ...victim, clientSecret: 'guess' };
          const answer = await ingest(guess, proxied.url, { 'x-forwarded-for': address });
          if (answer.status === 401) count += 1;
        }
        return count;
      };
      const site = `2001:db8:${(Date.now() % 0xffff).toString(16)}`;
      const hosts = Array.from({ length: 6 }, (_, i) => `${site}:1::${i + 1}`);
      // A slow machine gives back one in the half minute that each of them costs.
      const slack = 2;
      expect(await failures(hosts)).toBeLessThanOrEqual(2 + slack);
      const subnets = Array.from(
        { length: 20 },
        (_, i) => `${site}:2${(i + 1).toString(16).padStart(2, '0')}::1`,
      );
      expect(await failures(subnets)).toBeLessThanOrEqual(8 + slack);
      expect(await failures(['2001:db9::1'])).toBe(1);
    } finally {
      await proxied.close();
    }
  });
});

describe('X-Forwarded-For behind TRUST_PROXY', () => {
  it('with ports is one caller, however it is written, and is held against the allow list without them', async () => {
    const proxied = await startTestApp({
      like: one,
      settings: {
        rateLimitFailuresPerMinute: 10,
        trustProxy: ['127.0.0.0/8'],
      },
    });
    try {
      const client = await proxied.client();
      const refused = async (header: (i: number) => string): Promise<number> => {
        const answers: Answer[] = [];
        for (let i = 0; i < 120; i += 1) {
          const guess = { ...client, clientSecret: `guess-${i}` };
          answers.push(await ingest(guess, proxied.url, { 'x-forwarded-for': header(i) }));
        }
        expect(statuses(answers, 401) + statuses(answers, 429)).toBe(120);
        return statuses(answers, 429);
      };
      const site = (Date.now() % 0xffff).toString(16);
      expect(await refused((i) => `198.18.${Date.now() % 2}.7:${50_000 + i}`)).toBeGreaterThan(60);
      expect(await refused((i) => `[2001:db8:${site}::5]:${50_000 + i}`)).toBeGreaterThan(60);
      // All of these are the proxy itself.
      expect(await refused((i) => `host-${i}`)).toBeGreaterThan(60);
    } finally {
      await proxied.close();
    }
  });
});

describe('with Redis away', () => {
  it('each process goes on limiting from where the bucket stood, and Redis hears of it when it is back', async () => {
    const wire = new Wire(new URL(one.settings.redisUrl ?? ''));
    await wire.mend();
    const cutOff = await startTestApp({ like: one, settings: { redisUrl: wire.url } });
    try {
      const limiter = cutOff.app.get(RateLimiter);
      const [key, limit] = [newKey(), { perSecond: HARDLY, burst: 40 }];
      const spendMany = async (from: RateLimiter, n: number): Promise<number> => {
        let allowed = 0;
        for (let i = 0; i < n; i += 1) if ((await from.take(key, limit)).allowed) allowed += 1;
        return allowed;
      };
      expect(await spendMany(limiter, 20)).toBe(20);
      wire.cut();
      // Not the whole burst again: it knows what was spent before.
      expect(await spendMany(limiter, 60)).toBe(20);
      await wire.mend();
      const shared = cutOff.app.get(SharedBuckets);
      await eventually('the process speaks to Redis again', () => shared.usable);
      await limiter.take(key, limit);
      // By Redis alone, 20 would be left.
      const [elsewhere] = limiters();
      expect((await elsewhere?.take(key, limit, 15))?.allowed).toBe(false);
    } finally {
      wire.cut();
      await cutOff.close();
    }
  });

  promised('requests are answered without waiting for it, and stay bounded', async () => {
    const wire = new Wire(new URL(one.settings.redisUrl ?? ''));
    await wire.mend();
    const cutOff = await startTestApp({ like: one, settings: { redisUrl: wire.url } });
    try {
      const client = await cutOff.client({ perSecond: 1, burst: 30 });
      expect((await ingest(client, cutOff.url)).status).toBe(202);
      wire.cut();
      const from = performance.now();
      const answers = await Promise.all(Array.from({ length: 60 }, () => ingest(client, cutOff.url)));
      expectWithin(5_000, from);
      const returned = (performance.now() - from) / 1_000;
      const accepted = statuses(answers, 202);
      expect(accepted).toBeGreaterThanOrEqual(29);
      expect(accepted).toBeLessThanOrEqual(30 + Math.ceil(returned));
      expect(accepted + statuses(answers, 429)).toBe(60);
    } finally {
      wire.cut();
      await cutOff.close();
    }
  });
});
