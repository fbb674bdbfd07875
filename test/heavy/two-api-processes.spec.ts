import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answers.js';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { figure } from '../support/figure.js';
import { send } from '../support/raw-http.js';
import { Wire } from '../support/wire.js';

const CALLERS = 4;

/** Makes the applications; what is measured are the two processes beside it. */
let t: TestApp;
let wire: Wire;
let processes: readonly ApiProcess[];

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  wire = new Wire(new URL(t.settings.redisUrl ?? ''));
  await wire.mend();
  const env = {
    REDIS_URL: wire.url,
    RATE_LIMIT_PUBLIC_PER_MINUTE: '60',
    RATE_LIMIT_FAILURES_PER_MINUTE: '10',
  };
  processes = [await ApiProcess.start(t, env), await ApiProcess.start(t, env)];
}, 120_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  wire.cut();
  await t.close();
});

const ingest = (client: TestClient, url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${url}/kyt/transactions/ingest`, {
    headers: {
      'content-type': 'application/json',
      'x-client-id': client.clientId,
      'x-client-secret': client.clientSecret,
      ...headers,
    },
    body: JSON.stringify(aTransaction()),
  });

const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Both processes are asked without pause; what is allowed, and in how many seconds. */
async function saturate(
  client: TestClient,
  seconds: number,
): Promise<{ answers: Answer[]; seconds: number }> {
  const from = performance.now();
  const answers: Answer[] = [];
  let last = from;
  const caller = async (url: string): Promise<void> => {
    for (;;) {
      const answer = await ingest(client, url);
      answers.push(answer);
      last = performance.now();
      if (last - from > 3_000 * seconds) throw new Error('the limit was never reached');
      // Ends when there is nothing left to have, not in the middle of it.
      if (answer.status === 429 && last - from > seconds * 1_000) return;
    }
  };
  const callers = processes.flatMap(({ url }) => Array.from({ length: CALLERS }, () => caller(url)));
  await Promise.all(callers);
  return { answers, seconds: (last - from) / 1_000 };
}

describe('two API processes on one database and one Redis', () => {
  it.each([
    // Below what a slow machine accepts: where nothing is refused, nothing is measured.
    { perSecond: 100, burst: 400 },
    { perSecond: 50, burst: 1_000 },
  ])(
    'accept what one would, within 1 %: %j',
    async (limit) => {
      const client = await t.client(limit);
      const { answers, seconds } = await saturate(client, 12);
      const exact = limit.burst + limit.perSecond * seconds;
      const accepted = count(answers, 202);
      figure(
        `two processes, ${limit.perSecond}/s burst ${limit.burst}: ${accepted} accepted of ${exact.toFixed(0)} ` +
          `(${((accepted / exact - 1) * 100).toFixed(2)} %), ${count(answers, 429)} refused`,
      );
      expect(accepted + count(answers, 429)).toBe(answers.length);
      expect(Math.abs(accepted - exact) / exact).toBeLessThanOrEqual(0.01);
    },
    60_000,
  );

  it('X-Forwarded-For makes nobody somebody else, whichever process is asked', async () => {
    // ASVS 4.1.3, 15.3.4
    const call = (i: number): Promise<Answer> =>
      send(`${processes[i % 2]?.url ?? ''}/client-apps/public/nobody`, {
        method: 'GET',
        headers: {
          'x-forwarded-for': `203.0.113.${i}`,
          forwarded: `for=203.0.113.${i}`,
          'x-real-ip': `203.0.113.${i}`,
        },
      });
    const from = performance.now();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => call(i)));
    const returned = Math.ceil((performance.now() - from) / 1_000);
    expect(count(answers, 404)).toBeGreaterThanOrEqual(60);
    expect(count(answers, 404)).toBeLessThanOrEqual(60 + returned);
    expect(count(answers, 404) + count(answers, 429)).toBe(200);
  });

  it('an attacker at one leaves the calls of the victim at both untouched', async () => {
    const victim = await t.client({ perSecond: 1_000, burst: 2_000 });
    const attack = Array.from({ length: 300 }, (_, i) =>
      ingest({ ...victim, clientSecret: `guess-${i}` }, processes[0]?.url ?? '', {
        'x-forwarded-for': `192.0.2.${i}`,
      }),
    );
    const calls = Array.from({ length: 200 }, (_, i) => ingest(victim, processes[i % 2]?.url ?? ''));
    const [attacked, served] = await Promise.all([Promise.all(attack), Promise.all(calls)]);
    expect(count(served, 202)).toBe(200);
    expect(count(attacked, 401)).toBeLessThanOrEqual(11);
    expect(count(attacked, 401) + count(attacked, 429)).toBe(300);
  });

  it('without Redis each goes on limiting: at most twice what is allowed, and nobody waits', async () => {
    // ASVS 16.5.2
    const limit = { perSecond: 20, burst: 100 };
    const client = await t.client(limit);
    wire.cut();
    try {
      const { answers, seconds } = await saturate(client, 5);
      const accepted = count(answers, 202);
      const bound = processes.length * (limit.burst + limit.perSecond * seconds);
      figure(`two processes without Redis: ${accepted} accepted, bound ${bound.toFixed(0)}`);
      expect(accepted).toBeLessThanOrEqual(bound * 1.01);
      expect(accepted).toBeGreaterThanOrEqual(limit.burst);
      expect(accepted + count(answers, 429)).toBe(answers.length);
    } finally {
      await wire.mend();
    }
    await eventually('both are at one again', async () => {
      const readiness = await Promise.all(
        processes.map(
          async ({ url }) => (await (await fetch(`${url}/health/ready`)).json()) as { degraded: string[] },
        ),
      );
      return readiness.every(({ degraded }) => degraded.length === 0);
    });
  }, 60_000);
});
