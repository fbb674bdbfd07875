/* oxlint-disable typescript/no-non-null-assertion -- typed arrays read within their bounds, on the hottest lines */
import { MIN_JOIN_SIMILARITY } from '../names/joins.js';
import type { PackedIndex } from './packed-index.js';

/** The tokens of the index that are similar to one word of the query. */
export interface Expansion {
  readonly tokens: Uint32Array;
  readonly gains: Float32Array;
  readonly postings: number;
}

/** One word of the query, two joined words, or half of a word. */
export interface WordGroup {
  readonly expansion: Expansion;
  readonly weight: number;
  /** Number of words of the query that the group covers. */
  readonly words: number;
}

/**
 * The use of a name for the party. DECISIVE: a match by it may decide, so it is scored whatever else the list has.
 * EVIDENCE: it is shown at most, so only the most similar ones are scored. NOTHING: it is not scored.
 */
export type NameRank = 'DECISIVE' | 'EVIDENCE' | 'NOTHING';

interface CandidateOptions {
  /** Minimum number of words of the query that a name has. */
  readonly least: number;
  /** Names with a lower estimate are left out. */
  readonly floor: number;
  /** How many names are wanted as evidence, and how many at the most if others are about as good. */
  readonly wanted: number;
  readonly most: number;
  readonly rank: (name: number) => NameRank;
}

// Maximum number of decisive names, which bounds the time of a search. The lists of OFAC and the UN together have 553
// such names for the worst query.
const MAX_DECISIVE = 4_000;
// The weight from which a query may contain a name whole, with any amount of filler.
const LONG_TEXT = 4;
const MAX_FILLER_SHARE = 2;
const BINS = 128;
// Once there are this many candidates, only very similar words add new candidates.
const MANY_POSTINGS = 20_000;

/** Finds the names of an index that share words with a query, and estimates their scores. */
export class Candidates {
  /** The weight that each name shares with the query. */
  private readonly gained: Float32Array;
  /** The number of words of the query that each name has. */
  private readonly groupsSeen: Uint8Array;
  /** The mark of the last group that counted for each name: a group counts once. */
  private readonly lastGroup: Uint8Array;
  private readonly estimates: Float32Array;
  /** The names that share a word with the query. */
  private touched: Uint32Array = new Uint32Array(1024);
  private touchedCount = 0;
  private readonly bins = new Uint32Array(BINS + 1);

  constructor(private readonly index: PackedIndex) {
    const names = index.nameWeight.length;
    this.gained = new Float32Array(names);
    this.estimates = new Float32Array(names);
    this.groupsSeen = new Uint8Array(names);
    this.lastGroup = new Uint8Array(names);
  }

  /**
   * Returns the names to score, the decisive ones first. `asked` is the weight of the query. `isCut`: there are more
   * decisive names.
   */
  find(
    groups: readonly WordGroup[],
    asked: number,
    { least, floor, wanted, most, rank }: CandidateOptions,
  ): { readonly names: readonly number[]; readonly isCut: boolean } {
    this.accumulate(groups, least);
    const decisive: number[] = [];
    const evidence: number[] = [];
    for (const name of this.findEligible(asked, floor, least)) {
      const ranked = rank(name);
      if (ranked === 'DECISIVE') decisive.push(name);
      else if (ranked === 'EVIDENCE') evidence.push(name);
    }
    this.resetTouched();
    const names = [
      ...this.takeBest(decisive, MAX_DECISIVE, MAX_DECISIVE),
      ...this.takeBest(evidence, wanted, most),
    ];
    return { names, isCut: decisive.length > MAX_DECISIVE };
  }

  private accumulate(groups: readonly WordGroup[], least: number): void {
    const { postings, postingsAt } = this.index;
    const { gained, groupsSeen, lastGroup } = this;
    let remaining = groups.reduce((sum, { words }) => sum + words, 0);
    groups.forEach(({ expansion, weight, words }, g) => {
      // A name with none of the words so far cannot reach `least` with the remaining ones. A name without the rarest
      // word reaches the threshold only if the others are very similar.
      const newcomers = remaining >= least;
      remaining -= words;
      const mark = (g + 1) & 0xff;
      const { tokens, gains } = expansion;
      for (let t = 0; t < tokens.length; t += 1) {
        const token = tokens[t] ?? 0;
        const likeness = gains[t] ?? 0;
        const gain = likeness * weight;
        const welcome =
          newcomers && (g === 0 || likeness >= MIN_JOIN_SIMILARITY || expansion.postings < MANY_POSTINGS);
        const end = postingsAt[token + 1] ?? 0;
        for (let i = postingsAt[token] ?? 0; i < end; i += 1) {
          const name = postings[i]!;
          const groupCount = groupsSeen[name]!;
          if (groupCount === 0) {
            if (!welcome) continue;
            this.noteTouched(name);
          } else if (lastGroup[name] === mark) continue;
          lastGroup[name] = mark;
          groupsSeen[name] = groupCount + words;
          gained[name] = gained[name]! + gain;
        }
      }
    });
  }

  private noteTouched(name: number): void {
    if (this.touchedCount === this.touched.length) {
      const larger = new Uint32Array(this.touched.length * 2);
      larger.set(this.touched);
      this.touched = larger;
    }
    this.touched[this.touchedCount] = name;
    this.touchedCount += 1;
  }

  /** Returns the names with a sufficient estimate: the weight shared with the query, compared with the rest. */
  private findEligible(asked: number, floor: number, least: number): number[] {
    const { nameWeight } = this.index;
    const { touched, groupsSeen, estimates } = this;
    const most = asked > LONG_TEXT ? MAX_FILLER_SHARE : Infinity;
    const eligible: number[] = [];
    for (let t = 0; t < this.touchedCount; t += 1) {
      const name = touched[t]!;
      if (groupsSeen[name]! < least) continue;
      const gained = this.gained[name]!;
      const restOfQuery = Math.max(0, asked - gained);
      const restOfName = Math.max(0, nameWeight[name]! - gained);
      const estimate =
        gained /
        (gained +
          1.4 * Math.min(restOfQuery, restOfName) +
          0.2 * Math.min(most, Math.abs(restOfQuery - restOfName)));
      if (estimate < floor) continue;
      estimates[name] = estimate;
      eligible.push(name);
    }
    return eligible;
  }

  /** Returns the `wanted` names with the best estimates, and others about as good, up to `most` in all. */
  private takeBest(names: readonly number[], wanted: number, most: number): number[] {
    if (names.length === 0) return [];
    const { bins, estimates } = this;
    bins.fill(0);
    for (const name of names) {
      const bin = Math.floor(estimates[name]! * BINS);
      bins[bin] = bins[bin]! + 1;
    }
    let bin = BINS;
    let count = bins[bin]!;
    while (bin > 1 && count < wanted) {
      bin -= 1;
      count += bins[bin]!;
    }
    const chosen = names.filter((name) => Math.floor(estimates[name]! * BINS) >= bin);
    return chosen.sort((a, b) => estimates[b]! - estimates[a]! || a - b).slice(0, most);
  }

  private resetTouched(): void {
    for (let t = 0; t < this.touchedCount; t += 1) {
      const name = this.touched[t]!;
      this.gained[name] = 0;
      this.groupsSeen[name] = 0;
      this.lastGroup[name] = 0;
    }
    this.touchedCount = 0;
  }
}
