import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectOrderNotToMatter } from '../support/delivery-order.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
}, 60_000);

afterAll(async () => {
  await t.close();
});

it('10,000 events, shuffled and partly sent twice, give the same facts and scores as in order', async () => {
  await expectOrderNotToMatter(t, 10_000);
  expect.hasAssertions();
}, 900_000);
