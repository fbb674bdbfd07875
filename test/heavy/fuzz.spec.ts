import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fuzz } from '../support/fuzz/campaign.js';
import { beginWalk, endWalk, type Begun } from '../support/walked-routes.js';

const REQUESTS = Number(process.env['VIGIA_FUZZ_REQUESTS'] ?? 20_000);
// The same requests each time, beside others.
const THE_SAME = 4_711;
const SEED = Number(process.env['VIGIA_SEED'] ?? randomInt(1_000_000_000));

let begun: Begun;

// A campaign leaves the application disabled and the log rolled back.
beforeEach(async () => {
  begun = await beginWalk();
});

afterEach(endWalk);

it('whatever is sent to any documented operation, the answer is a documented one', async () => {
  // ASVS 15.3.3
  const { requests, operations, neverSucceeded } = await fuzz(begun, 600, THE_SAME);
  expect(requests).toBeGreaterThanOrEqual(600);
  expect(operations).toBeGreaterThan(100);
  expect(neverSucceeded.length > 0.5 * operations ? neverSucceeded : []).toEqual([]);
}, 600_000);

it('twenty thousand requests find no 5xx, no undocumented answer, no stack trace and no echo', async () => {
  // ASVS 1.2.3, 1.2.4, 2.2.1, 4.1.1, 8.2.3, 15.3.1, 16.5.1
  const { requests, operations, neverSucceeded } = await fuzz(begun, REQUESTS, SEED);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  // An operation that always refuses is not tested behind the refusal.
  expect(neverSucceeded.length > 0.2 * operations ? neverSucceeded : []).toEqual([]);
}, 3_600_000);
