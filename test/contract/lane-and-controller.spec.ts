import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { lanePairs } from '../support/lane-pairs.js';
import { runsInPart } from '../support/needs.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api', ingestLane: true } });
});

afterAll(async () => {
  await t.close();
});

it('the ingest lane answers generated requests as the controller does; test/heavy has 20,000', async () => {
  const statuses = await lanePairs(t, runsInPart(2_000));
  process.stdout.write(`lane and controller: ${JSON.stringify(statuses)}\n`);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '202', '400']));
});
