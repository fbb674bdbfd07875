import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  const item = fc.record({
    turns: fc.nat({ max: 3 }),
    fate: fc.constantFrom('good', 'good', 'good', 'breaks its batch', 'bad'),
  });

  it('settles each item once with its own result, in order, with never more than allowed under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (items, maxInFlight, maxItems, apart) => {
          let underWay = 0;
          let mostUnderWay = 0;
          let idle = 0;
          const begun: number[] = [];
          const work = async (batch: readonly number[]): Promise<string[]> => {
            mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
            for (let turn = 0; turn < batch.length % 4; turn += 1) await nextTurn();
            underWay -= 1;
            const bad = batch.some(
              (i) => items[i]?.fate === 'bad' || (batch.length > 1 && items[i]?.fate !== 'good'),
            );
            if (bad) throw new Error(`failed with ${batch.join()}`);
            return batch.map((i) => `result ${i}`);
          };
          const batcher = new Batcher<number, string>(
            async (batch) => {
              expect(batch.length).toBeLessThanOrEqual(maxItems);
              begun.push(...batch);
              return work(batch);
            },
            {
              ...{ maxInFlight, maxItems },
              separately: (_error, batch) => (apart && batch.length > 1 ? work : null),
              onIdle: () => (idle += 1),
            },
          );
          const settled: Promise<unknown>[] = [];
          const answers = items.map(() => 0);
          for (const [i, { turns }] of items.entries()) {
            for (let turn = 0; turn < turns; turn += 1) await nextTurn();
            settled.push(
              batcher.submit(i).then(
                (result) => {
                  answers[i]! += 1;
                  expect([result, items[i]!.fate]).not.toContain('bad');
                  expect(result).toBe(`result ${i}`);
                },
                (error: unknown) => {
                  answers[i]! += 1;
                  expect(String(error)).toMatch(new RegExp(`[ ,]${i}(,|$)`));
                  if (apart) expect(items[i]!.fate).toBe('bad');
                },
              ),
            );
          }
          await Promise.all(settled);
          await nextTurn();
          expect(answers).toEqual(items.map(() => 1));
          expect(begun).toEqual(items.map((_, i) => i));
          expect(mostUnderWay).toBeLessThanOrEqual(maxInFlight);
          expect([underWay, batcher.waiting]).toEqual([0, 0]);
          expect(idle).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('waits for more while items keep coming faster than the pace, and serves one at once that comes alone', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const sizes: number[] = [];
      const batcher = new Batcher<number, number>(
        async (batch) => {
          sizes.push(batch.length);
          return batch;
        },
        { maxItems: 500, pace: { everyMs: 50, minItems: 2 } },
      );
      await Promise.all([1, 2, 3].map((i) => batcher.submit(i)));
      const paced = [4, 5].map((i) => batcher.submit(i));
      await nextTurn();
      jest.advanceTimersByTime(49);
      paced.push(batcher.submit(6));
      await nextTurn();
      expect(sizes).toEqual([3]);
      jest.advanceTimersByTime(1);
      await Promise.all(paced);
      jest.advanceTimersByTime(1_000);
      await batcher.submit(7);
      await batcher.submit(8);
      expect(sizes).toEqual([3, 3, 1, 1]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects an item for which the work gave no result', async () => {
    const batcher = new Batcher<number, number>(async (batch) => batch.slice(1), { maxItems: 2 });
    const settled = await Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
    expect(settled).toMatchObject([{ status: 'fulfilled', value: 2 }, { status: 'rejected' }]);
  });
});
