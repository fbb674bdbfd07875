import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  expectEachOnceAfterAnOutage,
  expectEveryDeliveryToVerify,
  expectKillsToLoseNothing,
  expectRecoveryToSurviveAKill,
  measureBesideABadNeighbour,
  misbehaviours,
} from '../support/delivery-runs.js';
import { figure } from '../support/figure.js';
import { expectOrderPerResource, ORDERED } from '../support/ordered-delivery.js';

/** The whole size is 1; a smaller one tries the runs themselves. */
const SIZE = Number(process.env['VIGIA_HEAVY_SIZE'] ?? 1);
const sized = (count: number): number => Math.ceil(SIZE * count);
const LONG_MS = 15 * 60_000;
/** Publishes; what delivers are worker processes beside it. */
let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
}, 60_000);

afterAll(async () => {
  await t.close();
});

it(
  '10,000 events all verify, and a change of the secret under load costs none',
  async () => {
    figure(await expectEveryDeliveryToVerify(t, sized(10_000), 6));
    expect.hasAssertions();
  },
  LONG_MS,
);

it(
  'a receiver that failed and was away has each event once, with the same id and bytes',
  async () => {
    figure(await expectEachOnceAfterAnOutage(t, sized(2_000)));
    expect.hasAssertions();
  },
  LONG_MS,
);

it(
  'a worker killed at random moments of 5,000 deliveries loses none',
  async () => {
    figure(await expectKillsToLoseNothing(t, sized(5_000), Math.max(2, sized(10))));
    expect.hasAssertions();
  },
  LONG_MS,
);

it(
  'a recovery of 10,000 events survives the kill of its worker and doubles nothing',
  async () => {
    figure(await expectRecoveryToSurviveAKill(t, sized(10_000)));
    expect.hasAssertions();
  },
  LONG_MS,
);

it(
  'ordering per_resource holds in 300 random histories, with two workers',
  async () => {
    const start = (): Promise<TestApp> => startTestApp({ like: t, settings: ORDERED });
    const workers = [await start(), await start()];
    try {
      await expectOrderPerResource(t, sized(300));
      expect.hasAssertions();
    } finally {
      for (const worker of workers) await worker.close();
    }
  },
  LONG_MS,
);

describe('one receiver of ten', () => {
  it.each(misbehaviours)(
    'that %s leaves the other nine within 1.2 of their p95, and memory flat',
    async (name) => {
      const options = { eventsPerPhase: sized(600), seconds: Math.max(2, 12 * SIZE), rounds: 3 };
      const { good, bad, reached } = await measureBesideABadNeighbour(t, name, options);
      const ratio = bad.p95 / good.p95;
      figure(
        `one of ten ${name} (${reached} requests reached it): p95 of the nine ${good.p95.toFixed(1)} -> ` +
          `${bad.p95.toFixed(1)} ms (${ratio.toFixed(2)}x), memory ${good.peakMb.toFixed(0)} -> ${bad.peakMb.toFixed(0)} MB`,
      );
      expect(reached).toBeGreaterThan(0);
      expect(bad.peakMb).toBeLessThan(good.peakMb + 64);
      expect(ratio).toBeLessThanOrEqual(1.2);
    },
    LONG_MS,
  );
});
