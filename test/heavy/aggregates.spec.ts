import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VelocityReader } from '../../src/features/kyt/facts/windows/velocity-reader.js';
import {
  compareBeyondCap,
  compareHotKeys,
  compareSimulated,
  compareStored,
} from '../support/aggregate-runs.js';
import { startTestApp, type TestApp } from '../support/app.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

describe('Aggregates over stored transactions', () => {
  it('10,000 random definitions are what a plain recomputation says, with 0 differences', async () => {
    const reader = t.app.get(VelocityReader, { strict: false });
    const values = await compareStored(t, reader, { count: 10_000, each: 20 });
    const beyond = await compareBeyondCap(t, reader, 500);
    const hot = await compareHotKeys(t, reader, 8_000, 60);
    const simulated = await compareSimulated(2_000, 10);
    process.stdout.write(
      `${values} values stored, ${beyond} beyond the cap, ${hot} of hot keys, ${simulated} simulated\n`,
    );
    expect(values).toBeGreaterThan(10_000);
  }, 1_200_000);
});
