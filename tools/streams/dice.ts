/** A deterministic random generator. */
export interface RandomGenerator {
  /** Uniform in [0, 1). */
  readonly next: () => number;
  /** A uniform integer, both bounds included. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(values: readonly T[]) => T;
  /** A random index, with the given weights. */
  readonly weighted: (weights: readonly number[]) => number;
  /** Log-normal, as amounts are, with the given median. */
  readonly about: (median: number, spread: number) => number;
  /** A Poisson-distributed number with this mean. */
  readonly count: (mean: number) => number;
}

const TWO_TO_32 = 2 ** 32;

/** Creates a generator by Mulberry32, which is small and fast. `stream` gives independent sequences of one seed. */
export function createRandomGenerator(seed: number, stream = 0): RandomGenerator {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]): T => values[between(0, values.length - 1)] as T,
    weighted: (weights) => {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => (rest -= weight) < 0);
      return found < 0 ? weights.length - 1 : found;
    },
    about: (median, spread) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
    count: (mean) => {
      const limit = Math.exp(-mean);
      let happened = 0;
      for (let product = next(); product > limit; product *= next()) happened += 1;
      return happened;
    },
  };
}
