import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { lanePairs } from '../support/lane-pairs.js';
import { figure } from '../support/figure.js';

const PAIRS = Number(process.env['VIGIA_PAIRS'] ?? 20_000);
let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api', ingestLane: true } });
});

afterAll(async () => {
  await t.close();
});

it(
  'the ingest lane answers 20,000 generated requests as the controller does',
  async () => {
    const statuses = await lanePairs(t, PAIRS);
    figure(`lane and controller, ${PAIRS} pairs: ${JSON.stringify(statuses)}`);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['202', '400']));
  },
  30 * 60_000,
);
