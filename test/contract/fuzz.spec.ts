import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { fuzz } from '../support/fuzz/campaign.js';

const REQUESTS = 600;
// Always the same requests here; other ones come with every run of test/heavy/fuzz.spec.ts.
const SEED = 4_711;

let t: TestApp;

beforeAll(async () => {
  t = await sharedTestApp();
});

afterAll(async () => {
  await t.close();
});

it('whatever is sent to any documented operation, the answer is a documented one', async () => {
  // ASVS 15.3.3
  const { requests, operations } = await fuzz(t, REQUESTS, SEED);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(operations).toBeGreaterThan(100);
}, 600_000);
