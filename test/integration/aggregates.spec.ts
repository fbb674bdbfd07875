import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VelocityReader } from '../../src/features/kyt/facts/windows/velocity-reader.js';
import { compareBeyondCap, compareSimulated, compareStored } from '../support/aggregate-runs.js';
import { startTestApp, type TestApp } from '../support/app.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

describe('Aggregates over stored transactions', () => {
  const reader = (): VelocityReader => t.app.get(VelocityReader, { strict: false });

  it('are what a plain recomputation says: ties, late arrivals, currencies, outcomes, fields of the house', async () => {
    expect(await compareStored(t, reader(), { count: 400, each: 20 })).toBeGreaterThan(1_000);
  });

  it('are bounds, or unknown, where a key has more rows than windows look at', async () => {
    expect(await compareBeyondCap(t, reader(), 100)).toBeGreaterThan(100);
  });

  it('are the same in a simulation, whose history is its file', async () => {
    expect(await compareSimulated(200, 10)).toBeGreaterThan(200);
  });
});
