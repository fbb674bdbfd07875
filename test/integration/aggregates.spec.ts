import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VelocityReader } from '../../src/features/kyt/facts/windows/velocity-reader.js';
import {
  compareBeyondCap,
  compareHotKeys,
  compareSimulated,
  compareStored,
  oneKeyBatches,
} from '../support/aggregate-runs.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { NOON } from '../support/aggregates.js';
import { rowsReadBy } from '../support/statement-count.js';

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

  it('are the same in a batch of a hot key, whose rows the transactions of the batch share', async () => {
    expect(await compareHotKeys(t, reader(), 3_000, 4)).toBeGreaterThan(100);
  });

  it('are the same in a simulation, whose history is its file', async () => {
    expect(await compareSimulated(200, 10)).toBeGreaterThan(200);
  });
});

describe('A batch of one customer and one payee', () => {
  const reader = (): VelocityReader => t.app.get(VelocityReader, { strict: false });
  const ROWS = 2_600;
  const newest = Array.from({ length: 200 }, (_, i) => ROWS - 1 - i);
  // Each row once as one of the customer, once as one of the payee; the first row shows since when there are any.
  const MOST = 2 * ROWS + 5;

  it('reads each row of the key once, in one statement, whichever transactions it is of', async () => {
    const read = await oneKeyBatches(t, reader(), ROWS);
    const scattered = Array.from({ length: 130 }, (_, i) => 20 * i);
    for (const places of [newest, scattered]) {
      const { statements, rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(places));
      expect(statements).toEqual(['kyt.velocity']);
      expect(rows).toBeLessThanOrEqual(MOST);
      expect(rows).toBeGreaterThan(2_000);
    }
  });

  it('does so if each transaction names the customer by another id of the institution', async () => {
    const read = await oneKeyBatches(t, reader(), ROWS, (i) => ({ external: `e${i}` }));
    const { rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(newest));
    expect(rows).toBeLessThanOrEqual(MOST);
  });

  it('reads the rows of a payee once for customers who are known for long and never paid it', async () => {
    const old = { occurredAt: NOON - 200 * 86_400_000, counterparty: 'p1' };
    const read = await oneKeyBatches(t, reader(), ROWS, (i) => {
      const document = `known${i % 200}`;
      return i < 200 ? { document, ...old } : i < ROWS - 200 ? {} : { document };
    });
    const { statements, rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(newest));
    expect(statements).toEqual(['kyt.velocity']);
    expect(rows).toBeLessThanOrEqual(MOST);
    expect(rows).toBeGreaterThan(2_000);
    const facts = await read(newest);
    // More than the newest 2,000 rows of the payee would have to be looked through.
    expect(facts.map((one) => one.facts['counterparty.seenBefore'])).toEqual(
      newest.map(() => 'HISTORY_BEYOND_CAP'),
    );
  });
});
