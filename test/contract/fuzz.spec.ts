import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fuzz } from '../support/fuzz/campaign.js';
import { beginWalk, endWalk, type Begun } from '../support/walked-routes.js';

const REQUESTS = 600;
// Always the same requests here; other ones come with every run of test/heavy/fuzz.spec.ts.
const SEED = 4_711;

let begun: Begun;

beforeAll(async () => {
  begun = await beginWalk();
});

afterAll(endWalk);

it('whatever is sent to any documented operation, the answer is a documented one', async () => {
  // ASVS 15.3.3
  const { requests, operations, neverSucceeded } = await fuzz(begun, REQUESTS, SEED);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(operations).toBeGreaterThan(100);
  expect(neverSucceeded.length > 0.5 * operations ? neverSucceeded : []).toEqual([]);
}, 600_000);
