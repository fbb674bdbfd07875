import type { TokenLikeness } from './token-similarity.js';

// With more unpaired tokens on both sides, the alignment takes the best pairs first instead of trying all.
export const MAX_OPTIMAL_TOKENS = 9;

export interface PairGain {
  readonly similarity: number;
  readonly how: TokenLikeness;
  readonly weight: number;
  readonly gain: number;
}

type Choice = readonly (readonly [row: number, column: number])[];

/** Tries every assignment: dynamic programming over the set of columns taken. */
export function assignOptimally(gains: readonly (readonly (PairGain | null)[])[], columns: number): Choice {
  if (gains.length === 1 || columns === 1) return assignGreedily(gains, columns).slice(0, 1);
  const states = 1 << columns;
  let best = new Float64Array(states).fill(-1);
  best[0] = 0;
  const choices: Int8Array[] = [];
  for (const row of gains) {
    const next = Float64Array.from(best);
    const choice = new Int8Array(states).fill(-1);
    for (let state = 0; state < states; state += 1) {
      const base = best[state] ?? -1;
      if (base < 0) continue;
      for (let column = 0; column < columns; column += 1) {
        const gain = row[column];
        if (!gain || state & (1 << column)) continue;
        const to = state | (1 << column);
        if (base + gain.gain > (next[to] ?? -1)) {
          next[to] = base + gain.gain;
          choice[to] = column;
        }
      }
    }
    best = next;
    choices.push(choice);
  }
  let state = 0;
  for (let s = 1; s < states; s += 1) if ((best[s] ?? -1) > (best[state] ?? -1)) state = s;
  const chosen: (readonly [number, number])[] = [];
  for (let row = gains.length - 1; row >= 0; row -= 1) {
    const column = choices[row]?.[state] ?? -1;
    if (column < 0) continue;
    chosen.push([row, column]);
    state ^= 1 << column;
  }
  return chosen;
}

export function assignGreedily(gains: readonly (readonly (PairGain | null)[])[], columns: number): Choice {
  const pairs: { row: number; column: number; gain: number }[] = [];
  gains.forEach((row, i) => {
    for (let column = 0; column < columns; column += 1) {
      const gain = row[column];
      if (gain) pairs.push({ row: i, column, gain: gain.gain });
    }
  });
  pairs.sort((a, b) => b.gain - a.gain);
  const rows = new Set<number>();
  const takenColumns = new Set<number>();
  const chosen: (readonly [number, number])[] = [];
  for (const { row, column } of pairs) {
    if (rows.has(row) || takenColumns.has(column)) continue;
    rows.add(row);
    takenColumns.add(column);
    chosen.push([row, column]);
  }
  return chosen;
}
