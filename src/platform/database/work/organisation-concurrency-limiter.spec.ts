import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OrganisationConcurrencyLimiter } from './organisation-concurrency-limiter.js';

const SIZE = 12;
const LATE_MS = 2_000;

/** Work that is under way until it is let go. */
function held(
  places: OrganisationConcurrencyLimiter,
  organisation: string,
): { begun: () => boolean; end: () => void; over: Promise<void> } {
  let begun = false;
  let end: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const over = places.runInSlot(organisation, () => {
    begun = true;
    return until;
  });
  return {
    begun: () => begun,
    end: () => {
      end();
    },
    over,
  };
}

const many = (
  places: OrganisationConcurrencyLimiter,
  organisation: string,
  count: number,
): ReturnType<typeof held>[] => Array.from({ length: count }, () => held(places, organisation));
const begun = (all: readonly ReturnType<typeof held>[]): number => all.filter((one) => one.begun()).length;
const end = async (all: readonly ReturnType<typeof held>[]): Promise<void> => {
  for (const one of all) one.end();
  await Promise.allSettled(all.map(({ over }) => over));
};

describe('the connections of a process', () => {
  it('are never all with one organisation: whoever has none gets one at once', async () => {
    const places = new OrganisationConcurrencyLimiter(SIZE, LATE_MS);
    const greedy = many(places, 'greedy', 100);
    await sleep(1);
    expect(begun(greedy)).toBe(9);
    const others = ['a', 'b', 'c'].flatMap((name) => many(places, name, 1));
    await sleep(1);
    expect(begun(others)).toBe(3);
    await Promise.all([end(others), end(greedy)]);
  });

  it('are in time where only the process itself was blocked while their answers came', async () => {
    const places = new OrganisationConcurrencyLimiter(4, 50);
    const all = Array.from({ length: 8 }, () => places.runInSlot('one', () => stat('.')));
    for (const until = performance.now() + 150; performance.now() < until;);
    await Promise.all(all);
  });

  it('go to those who wait, whoever holds the fewest first, among these whoever waits longest', async () => {
    const places = new OrganisationConcurrencyLimiter(SIZE, LATE_MS);
    const greedy = many(places, 'greedy', 10);
    const others = ['a', 'b', 'c'].flatMap((name) => many(places, name, 1));
    await sleep(1);
    const [late, latest] = [held(places, 'late'), held(places, 'latest')];
    await sleep(1);
    expect([late.begun(), latest.begun()]).toEqual([false, false]);
    others[0]?.end();
    await sleep(1);
    expect([late.begun(), latest.begun(), begun(greedy)]).toEqual([true, false, 9]);
    await Promise.all([end(others), end(greedy), end([late, latest])]);
  });

  it('are not waited for by whoever holds one already', async () => {
    const places = new OrganisationConcurrencyLimiter(4, LATE_MS);
    const nested = Array.from({ length: 4 }, (_, i) =>
      places.runInSlot(`organisation ${i}`, async () => {
        await sleep(5);
        return places.runInSlot(`organisation ${i}`, async () => i);
      }),
    );
    expect(await Promise.all(nested)).toEqual([0, 1, 2, 3]);
  });

  it('are enough for work that begins work of its own, in a pool of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 24 }),
        fc.array(fc.constantFrom('a', 'a', 'b', 'c'), { maxLength: 40 }),
        async (size, organisations) => {
          const places = new OrganisationConcurrencyLimiter(size, LATE_MS);
          const all = organisations.map((organisation) =>
            places.runInSlot(organisation, async () => {
              await sleep(0);
              return places.runInSlot(organisation, () => places.runInSlot(organisation, async () => 1));
            }),
          );
          expect(await Promise.all(all)).toEqual(organisations.map(() => 1));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('go to whoever has waited a second, although others wait that hold none', async () => {
    const places = new OrganisationConcurrencyLimiter(16, LATE_MS);
    const greedy = many(places, 'greedy', 11);
    const others = ['other', 'a', 'b', 'c', 'd'].map((name) => held(places, name));
    const [again, stranger] = [held(places, 'other'), held(places, 'stranger')];
    await sleep(1_050);
    greedy[0]?.end();
    await sleep(1);
    expect([again.begun(), stranger.begun()]).toEqual([true, false]);
    await Promise.all([end(greedy), end([...others, again, stranger])]);
  });

  it('that do not come in time are told as those of the pool are', async () => {
    const places = new OrganisationConcurrencyLimiter(SIZE, 20);
    const greedy = many(places, 'greedy', 10);
    await expect(greedy[9]?.over).rejects.toThrow('timeout exceeded when trying to connect');
    await end(greedy);
    await expect(places.runInSlot('greedy', async () => 'again')).resolves.toBe('again');
  });

  it('whoever comes and goes, no more are held than there are, and all are free in the end', async () => {
    const visit = fc.record({
      organisation: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      ms: fc.nat(3),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(visit, { maxLength: 60 }),
        fc.integer({ min: 4, max: 16 }),
        async (visits, size) => {
          const places = new OrganisationConcurrencyLimiter(size, LATE_MS);
          let [now, most] = [0, 0];
          const all = visits.map(({ organisation, ms, fails }) =>
            places.runInSlot(organisation, async () => {
              now += 1;
              most = Math.max(most, now);
              await sleep(ms);
              now -= 1;
              if (fails) throw new Error('it failed');
            }),
          );
          await Promise.allSettled(all);
          expect(most).toBeLessThanOrEqual(size);
          const again = many(places, 'a', size - Math.ceil(size / 4));
          await sleep(0);
          expect(begun(again)).toBe(again.length);
          await end(again);
        },
      ),
      { numRuns: 30 },
    );
  });
});
