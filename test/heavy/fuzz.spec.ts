import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { fuzz } from '../support/fuzz/campaign.js';

const REQUESTS = Number(process.env['VIGIA_FUZZ_REQUESTS'] ?? 20_000);

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

it('twenty thousand requests find no 5xx, no undocumented answer, no stack trace and no echo', async () => {
  const { requests } = await fuzz(t, REQUESTS);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
}, 900_000);
