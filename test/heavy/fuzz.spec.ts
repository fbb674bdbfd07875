import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { fuzz } from '../support/fuzz/campaign.js';

const REQUESTS = Number(process.env['VIGIA_FUZZ_REQUESTS'] ?? 100_000);

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

it('a hundred thousand requests find no 5xx, no undocumented answer, no stack trace and no echo', async () => {
  // ASVS 1.2.3, 1.2.4, 2.2.1, 4.1.1, 8.2.3, 15.3.1, 16.5.1
  const { requests } = await fuzz(t, REQUESTS);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
}, 5_400_000);
