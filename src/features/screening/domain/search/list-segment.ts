import type { NameQuery } from '../names/name-query.js';
import { markRemoved, entryFactsOf, uuidOfBytes, type EntryTable } from './entry-table.js';
import type { ListKind } from '../lists/list-entry.js';
import type { NameRank } from './candidates.js';
import { keepMatches, MAX_MANDATORY, type KeptMatches } from './kept-matches.js';
import { NameSearch } from './name-search.js';
import type { PairScore } from '../names/pair-scorer.js';
import type { NameKind } from '../names/normalise.js';
import { transferableBuffers, type PackedIndex } from './packed-index.js';
import type { AlignmentLine } from '../names/unmatched-cost.js';
import {
  canDecide,
  isRareName,
  qualifiersOf,
  qualifyMatch,
  type QualifiedMatch,
  type Qualifier,
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

/** An entry that may be the party, before its explanation is worked out. */
interface JudgedEntry extends QualifiedMatch {
  readonly entry: number;
  /** Number of the name in the index. */
  readonly name: number;
  readonly nameScore: number;
  readonly pair: PairScore;
}

/** True if `one` explains the match with an entry better than `other`, by another name of the entry. */
function isBetter(one: JudgedEntry, other: JudgedEntry): boolean {
  if (one.mandatory !== other.mandatory) return one.mandatory;
  return one.nameScore === other.nameScore ? one.name < other.name : one.nameScore > other.nameScore;
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

  /**
   * Returns the entries that may be the party: every mandatory one, and up to `limit` others. `asked` is the party's
   * name, parsed once for all segments. Other facts than the name are judged first, so that no entry that they clear
   * takes the place of another.
   */
  find(
    asked: NameQuery,
    { facts, day }: SearchQuery,
    terms: ListSearchTerms,
    limit: number,
  ): KeptMatches<Candidate> {
    const judge = (entry: number): readonly Qualifier[] | null =>
      this.entries.gone[entry] === 1 ? null : qualifiersOf(facts, entryFactsOf(this.entries, entry), day);
    const { matches, isCut } = this.search.search(asked, {
      ...{ threshold: terms.thresholds.evidence, limit },
      rank: (name) => this.rankOf(name, terms.kind, judge),
    });
    const best = new Map<number, JudgedEntry>();
    let mandatory = 0;
    for (const { name, pair } of matches) {
      const nameScore = { score: pair.score, rare: this.isRare(name) };
      // Entries with one name and the same qualifiers rank alike: no more of them are taken than can be kept.
      const alike = new Map<string, { readonly qualified: QualifiedMatch | null; left: number }>();
      for (const entry of this.search.bearersOf(name)) {
        const qualifiers = judge(entry);
        if (qualifiers === null) continue;
        const key = qualifiers.join();
        let group = alike.get(key);
        if (group === undefined) {
          const qualified = qualifyMatch(qualifiers, nameScore, terms);
          group = { qualified, left: qualified?.mandatory === true ? MAX_MANDATORY + 1 : limit };
          alike.set(key, group);
        }
        const { qualified, left } = group;
        if (qualified === null || left === 0) continue;
        group.left -= 1;
        const judgedEntry = { ...qualified, entry, name, pair, nameScore: pair.score };
        const bestEntry = best.get(entry);
        if (bestEntry && !isBetter(judgedEntry, bestEntry)) continue;
        best.set(entry, judgedEntry);
        if (judgedEntry.mandatory && bestEntry?.mandatory !== true) mandatory += 1;
      }
      // A person has to look at all mandatory matches, so further ones change nothing.
      if (mandatory > MAX_MANDATORY) break;
    }
    const keptMatches = keepMatches([...best.values()], terms.kind, limit);
    return {
      candidates: keptMatches.candidates.map((found) => this.candidateOf(found)),
      isCut: isCut || keptMatches.isCut,
    };
  }

  /** Says what the entries that bear a name can be for the party, if the name matches. */
  private rankOf(
    name: number,
    kind: ListKind,
    judge: (entry: number) => readonly Qualifier[] | null,
  ): NameRank {
    let rank: NameRank = 'NOTHING';
    const bearers = this.search.bearersOf(name);
    // oxlint-disable-next-line typescript/prefer-for-of -- no iterator: this runs for each name of a list
    for (let i = 0; i < bearers.length; i += 1) {
      const facts = judge(bearers[i] ?? 0);
      if (facts === null) continue;
      if (canDecide(kind, facts, () => this.isRare(name))) return 'DECISIVE';
      rank = 'EVIDENCE';
    }
    return rank;
  }

  private candidateOf({ entry, name, pair, nameScore, ...judged }: JudgedEntry): Candidate {
    return {
      ...judged,
      entryId: uuidOfBytes(this.entries.ids, 16 * entry),
      entryHash: Buffer.from(this.entries.hashes.subarray(16 * entry, 16 * entry + 16)).toString('hex'),
      nameScore: Math.round(nameScore * 10_000) / 10_000,
      name: this.search
        .tokensOfName(name)
        .map(({ text }) => text)
        .join(' '),
      alignment: pair.alignment,
    };
  }

  remove(ids: ReadonlySet<string>): number {
    return markRemoved(this.entries, ids);
  }

  private isRare(name: number): boolean {
    return isRareName(this.sharesOf(this.search.tokensOfName(name)));
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
