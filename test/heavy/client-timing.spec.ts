import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';
import { send } from '../support/raw-http.js';
import { areaUnderCurve, median } from '../support/timing.js';

const PAIRS = Number(process.env['VIGIA_TIMING_PAIRS'] ?? 4_000);
const WARM_UP = 200;
const KEEP_IN_USE_MS = 300;

let t: TestApp;

beforeAll(async () => {
  // Enough for the pairs, and still so few a second that each refusal asks Redis, as with the limit of production.
  t = await startTestApp({
    settings: { role: 'api', rateLimitFailuresPerMinute: 6_000 },
  });
});

afterAll(async () => {
  await t.close();
});

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds until these credentials are refused. */
async function refusalTime(clientId: string, clientSecret: string, lane: boolean): Promise<number> {
  const startedAt = performance.now();
  const { status } = await send(`${t.url}/kyt/transactions/ingest`, {
    // With a charset the controller answers, without one the ingest lane.
    headers: {
      'content-type': lane ? 'application/json' : 'application/json; charset=utf-8',
      'x-client-id': clientId,
      'x-client-secret': clientSecret,
    },
    body: '{}',
    agent,
  });
  expect(status).toBe(401);
  return performance.now() - startedAt;
}

const newSecret = (): string => `vsk_${randomBytes(32).toString('base64url')}`;

const unknownIds: readonly [string, (pair: number, lane: boolean) => string][] = [
  ['the same unknown id', (_pair, lane) => `app-${lane ? 'a' : 'b'}000000000`],
  [
    'an unknown id that was never asked for',
    (pair, lane) => `app-${lane ? 'a' : 'b'}${String(pair + 1).padStart(9, '0')}`,
  ],
];

it.each(unknownIds.flatMap(([what, id]) => [true, false].map((lane) => ({ what, id, lane }))))(
  'how long a refusal takes does not say whether the id exists: $what (lane: $lane)',
  async ({ what, id, lane }) => {
    const client = await t.client();
    const times = { unknown: [] as number[], wrong: [] as number[] };
    // The application is in use while it is attacked, which is when the service has it in memory.
    const inUse = setInterval(() => {
      void t.api
        .as(client)
        .transaction('x')
        .then(() => undefined);
    }, KEEP_IN_USE_MS);
    try {
      for (let pair = 0; pair < WARM_UP + PAIRS; pair += 1) {
        const order = pair % 2 === 0 ? (['unknown', 'wrong'] as const) : (['wrong', 'unknown'] as const);
        for (const which of order) {
          const ms = await refusalTime(
            which === 'unknown' ? id(pair, lane) : client.clientId,
            newSecret(),
            lane,
          );
          if (pair >= WARM_UP) times[which].push(ms);
        }
      }
    } finally {
      clearInterval(inUse);
    }
    const [ofUnknown, ofWrong] = [median(times.unknown), median(times.wrong)];
    const difference = Math.abs(ofUnknown - ofWrong) / ofWrong;
    const auc = areaUnderCurve(times.unknown, times.wrong);
    figure(
      `${PAIRS} pairs, ${what}, ${lane ? 'lane' : 'controller'}: median ${ofUnknown.toFixed(3)} ms unknown, ` +
        `${ofWrong.toFixed(3)} ms wrong secret, difference ${(difference * 100).toFixed(1)} %, AUC ${auc.toFixed(3)}`,
    );
    expect(difference).toBeLessThanOrEqual(0.1);
    expect(auc).toBeGreaterThan(0.35);
    expect(auc).toBeLessThan(0.65);
  },
  600_000,
);
