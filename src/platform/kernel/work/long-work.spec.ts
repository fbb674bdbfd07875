import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { throttlePages, CpuPressure, CpuBudget, WorkThrottle } from './long-work.js';

const MEGABYTE = 1_048_576;
const crowd = (share: number): { now: () => number } => ({ now: () => share });

describe('the long work of an organisation', () => {
  /** Milliseconds of work within a span, in steps of 50 ms each. */
  function worked(work: CpuBudget, organisation: string, spanMs: number): number {
    let [now, sum] = [0, 0];
    while (now < spanMs) {
      now += 50;
      sum += 50;
      now += work.charge(organisation, 50, now);
    }
    return sum;
  }

  it('goes on without a rest while nobody waits for a processor', () => {
    expect(worked(new CpuBudget(crowd(0.1)), 'one', 60_000)).toBe(60_000);
  });

  it('gets a quarter of a processor where others wait, and two seconds at once', () => {
    const sum = worked(new CpuBudget(crowd(0.9)), 'one', 60_000);
    expect(sum).toBeGreaterThanOrEqual(15_000);
    expect(sum).toBeLessThanOrEqual(17_500);
  });

  it('of one organisation costs another one nothing', () => {
    const work = new CpuBudget(crowd(0.9));
    worked(work, 'greedy', 60_000);
    expect(work.charge('patient', 1_000, 60_000)).toBe(0);
    expect(work.charge('greedy', 1_000, 60_000)).toBeGreaterThan(0);
  });

  it('rests a second at the most, so that a lease is kept, and the rest of it the next time', () => {
    const work = new CpuBudget(crowd(0.9));
    expect(work.charge('one', 30_000, 0)).toBe(1_000);
    expect(work.charge('one', 0, 1_000)).toBe(1_000);
  });

  it('is measured from one rest to the next', async () => {
    const charged: number[] = [];
    const rests = new WorkThrottle('one', {
      charge: (_: string, ms: number) => (charged.push(ms), 30),
    } as unknown as CpuBudget);
    await pause(40);
    await rests.rest();
    await rests.rest();
    expect(charged[0]).toBeGreaterThanOrEqual(35);
    expect(charged[1]).toBeLessThan(30);
  });
});

it('how crowded this machine is is a share', () => {
  const one = new CpuPressure();
  one.now();
  expect(one.now()).toBeGreaterThanOrEqual(0);
});

describe('atLeisure', () => {
  it('gives the pages on as they are, and lets few of those that became old pile up', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    // Two megabytes a page, too large an array to begin young.
    async function* pages(): AsyncGenerator<number[]> {
      for (const number of numbers) {
        await pause(0);
        yield new Array<number>(262_144).fill(number);
      }
    }
    // V8 collects what is young by itself, whenever it likes.
    const oldNow = (): number =>
      getHeapSpaceStatistics()
        .filter(({ space_name: name }) => !name.startsWith('new_'))
        .reduce((sum, { space_used_size: used }) => sum + used, 0);
    const before = oldNow();
    const seen: (number | undefined)[] = [];
    let most = 0;
    for await (const page of throttlePages('somebody', pages())) {
      seen.push(page.at(-1));
      most = Math.max(most, oldNow() - before);
    }
    expect(seen).toEqual(numbers);
    expect(most).toBeLessThan(40 * MEGABYTE);
  });
});
