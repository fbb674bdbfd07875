import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { QueueTransport } from '../../src/platform/queue/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  expectEachOnceAfterAnOutage,
  expectEveryDeliveryToVerify,
  expectRecoveryToSurviveAKill,
} from '../support/delivery-runs.js';
import { expectOrderPerResource, ORDERED } from '../support/ordered-delivery.js';

/** Publishes; what delivers are workers beside it. The same at full size: test/heavy/webhook-delivery.spec.ts. */
let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
});

afterAll(async () => {
  await t.close();
});

it('every delivery verifies while the secret is changed under load', async () => {
  await expectEveryDeliveryToVerify(t, 300, 3);
  expect.hasAssertions();
});

it('a receiver that failed and was away has each event once, with the same id and bytes', async () => {
  await expectEachOnceAfterAnOutage(t, 30);
  expect.hasAssertions();
});

it('a recovery whose worker is killed finishes and doubles nothing', async () => {
  // The queue is emptied as well: otherwise the recovery waits to be missed.
  await expectRecoveryToSurviveAKill(t, 1_000, () => t.app.get(QueueTransport).writeEpoch('another queue'));
  expect.hasAssertions();
});

it('ordering per_resource holds whatever fails, with two workers', async () => {
  const workers = [
    await startTestApp({ like: t, settings: ORDERED }),
    await startTestApp({ like: t, settings: ORDERED }),
  ];
  try {
    await expectOrderPerResource(t, 8);
    expect.hasAssertions();
  } finally {
    for (const worker of workers) await worker.close();
  }
});
