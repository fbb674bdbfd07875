import type { NameQuery } from '../names/name-query.js';
import { markRemoved, entryFactsOf, uuidOfBytes, type EntryTable } from './entry-table.js';
import type { ListKind } from '../lists/list-entry.js';
import { NameSearch } from './name-search.js';
import type { NameKind } from '../names/normalise.js';
import { transferableBuffers, type PackedIndex } from './packed-index.js';
import type { AlignmentLine } from '../names/unmatched-cost.js';
import {
  isRareName,
  qualifyMatch,
  type QualifiedMatch,
  type SubjectFacts,
  type Thresholds,
} from '../qualify.js';

/** The searchable data of a list, or of the entries that a later snapshot added to it. */
export interface PackedSegment {
  readonly index: PackedIndex;
  readonly entries: EntryTable;
}

export const buffersOfSegment = ({ index, entries }: PackedSegment): ArrayBuffer[] => [
  ...transferableBuffers(index),
  ...Object.values(entries).map((array: EntryTable[keyof EntryTable]) => array.buffer as ArrayBuffer),
];

/** A person or organisation to search for. */
export interface SearchQuery {
  readonly name: string;
  readonly kind: NameKind;
  readonly facts: SubjectFacts;
  /** `YYYY-MM-DD`: entries that are not in force on this day are skipped. */
  readonly day: string;
}

export interface ListSearchTerms {
  readonly kind: ListKind;
  readonly thresholds: Thresholds;
}

/** A list entry that may be the person or organisation of the query. */
export interface Candidate extends QualifiedMatch {
  readonly entryId: string;
  readonly entryHash: string;
  readonly nameScore: number;
  /** The matched name of the entry, as its tokens. */
  readonly name: string;
  readonly alignment: readonly AlignmentLine[];
}

// From this many names on, the list itself shows how common a token is.
const SHARES_FROM = 5_000;
const COMMON_SHARE = 0.03;
const OTHER_SHARE = 0.0005;

/** Searches one segment and qualifies its matches. */
export class ListSegment {
  private readonly search: NameSearch;
  private readonly entries: EntryTable;

  constructor({ index, entries }: PackedSegment) {
    this.search = new NameSearch(index);
    this.entries = entries;
  }

  get size(): number {
    return this.entries.gone.length;
  }

  /** Returns up to `limit` entries that may be the party. `asked` is the party's name, parsed once for all segments. */
  find(asked: NameQuery, { facts, day }: SearchQuery, terms: ListSearchTerms, limit: number): Candidate[] {
    const threshold = terms.thresholds.evidence;
    const alive = (found: number): boolean =>
      this.search.bearersOf(found).some((entry) => this.entries.gone[entry] === 0);
    const best = new Map<number, Candidate>();
    for (const match of this.search.search(asked, { threshold, limit }, alive)) {
      const tokens = this.search.tokensOfName(match.name);
      const rare = isRareName(this.sharesOf(tokens));
      for (const entry of this.search.bearersOf(match.name)) {
        if (this.entries.gone[entry] === 1 || best.has(entry)) continue;
        const judged = qualifyMatch(
          facts,
          entryFactsOf(this.entries, entry),
          { score: match.score, rare },
          terms,
          day,
        );
        if (!judged) continue;
        best.set(entry, {
          entryId: uuidOfBytes(this.entries.ids, 16 * entry),
          entryHash: Buffer.from(this.entries.hashes.subarray(16 * entry, 16 * entry + 16)).toString('hex'),
          nameScore: Math.round(match.score * 10_000) / 10_000,
          name: tokens.map(({ text }) => text).join(' '),
          alignment: match.alignment,
          ...judged,
        });
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
  }

  remove(ids: ReadonlySet<string>): number {
    return markRemoved(this.entries, ids);
  }

  /**
   * Returns the share of people with each token: measured in the list if it is large, else a constant for common and
   * for other tokens.
   */
  private sharesOf(tokens: ReturnType<NameSearch['tokensOfName']>): number[] {
    const large = this.search.names >= SHARES_FROM;
    return tokens
      .filter(({ role }) => role === 'NAME')
      .map((token) => {
        const usual = token.common ? COMMON_SHARE : OTHER_SHARE;
        return large ? Math.max(this.search.tokenFrequency(token), OTHER_SHARE) : usual;
      });
  }
}
