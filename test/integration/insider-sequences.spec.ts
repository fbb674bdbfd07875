import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { Insider } from '../support/insider.js';
import { runsInPart } from '../support/needs.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(async () => {
  await t.close();
});

it('nobody alone makes a stopped payment pass, by whatever routes one after the other', async () => {
  const insider = await Insider.begin(t);
  const { seed, released } = await insider.play(runsInPart(200), Date.now() % 2 ** 31);
  expect({ seed, released }).toEqual({ seed, released: [] });
}, 3_600_000);
