import { expect } from '@jest/globals';

/** Returns the middle value, the larger one of two. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * How often a value of the one is larger than one of the other: 0.5 when nothing can be told from them, 0 or 1 when
 * everything can. An effect size, which more measurements make more certain but not larger. By ranks (Mann-Whitney).
 */
export function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const all = [
    ...one.map((value) => ({ value, mine: true })),
    ...other.map((value) => ({ value, mine: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    // Equal values share the mean of their ranks, which begin at 1.
    const rank = (from + 1 + to) / 2;
    ranks += rank * all.slice(from, to).filter(({ mine }) => mine).length;
    from = to;
  }
  return (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
}

/** Parts that have the machine for themselves: whole sizes, and promised times are held. The first stage has no opinion. */
export const isHeavy = process.env['VIGIA_HEAVY'] === '1';

/** Fails in a part that has the machine for itself when more milliseconds than promised have passed since, by `performance.now()`. */
export function expectWithin(promisedMs: number, since: number, until = performance.now()): void {
  if (isHeavy) expect(until - since).toBeLessThan(promisedMs);
}

/** Milliseconds of processor time, which other programs on the machine do not lengthen as they do its time by the clock. */
export function processorMs(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
