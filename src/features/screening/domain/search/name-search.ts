/* oxlint-disable typescript/no-non-null-assertion -- typed arrays read within their bounds, on the hottest lines */
import {
  tokenOfQuery,
  queryWord,
  type NameQuery,
  type QueryToken,
  type QueryWord,
} from '../names/name-query.js';
import { bitCount } from '../names/words/letters.js';
import { TokenCache, tokenOf, type NameToken } from '../names/name-token.js';
import type { NameKind } from '../names/normalise.js';
import { Candidates, type Expansion, type NameRank, type WordGroup } from './candidates.js';
import { hashOfKey, hasHashTag, kindCodes, tokenIn, type PackedIndex } from './packed-index.js';
import { MIN_JOIN_SIMILARITY } from '../names/joins.js';
import { scoreTokens, type PairScore } from '../names/pair-scorer.js';
import { compareTokens, memoizedComparison } from '../names/token-similarity.js';

export interface NameMatch {
  /** Number of the name in the index. */
  readonly name: number;
  readonly pair: PairScore;
}

export interface SearchOptions {
  /** Names that score less (0 to 1) are left out. */
  readonly threshold: number;
  /** The number of names that are wanted as evidence. A few times as many are scored. */
  readonly limit: number;
  /** Returns the use of a name for the party. Without `rank`, all names are evidence. */
  readonly rank?: (name: number) => NameRank;
}

export interface FoundNames {
  /** Scored one by one as they are read: decisive names first, each kind by estimate. */
  readonly matches: Iterable<NameMatch>;
  /** True if there are more decisive names than are scored. */
  readonly isCut: boolean;
}

const NO_NAMES: FoundNames = { matches: [], isCut: false };
const NO_EXPANSION: Expansion = { tokens: new Uint32Array(0), gains: new Float32Array(0), postings: 0 };
const MIN_LIKENESS = 0.7;
const EXPANSIONS_KEPT = 20_000;
const TOKENS_KEPT = 60_000;
const CANDIDATES_PER_RESULT = 3;
const MAX_CANDIDATES = 400;
// How much an estimate may be too low: it ignores titles, initials, suffixes and joined words.
const ESTIMATE_MARGIN = 0.14;
// Maximum number of letters in which two tokens may differ, by the index that found them.
const LETTERS_OF_TWO_EDITS = 4;
const LETTERS_OF_A_SOUND = 9;
const ANY_LETTERS = 32;
// From this threshold on, two names of two words or more must share two of them: the scorer caps a single equal word
// below it.
const TWO_WORDS_FROM = 0.75;

/** Searches a packed index: candidates by token, then the pair scorer over the best of them. */
export class NameSearch {
  private readonly cache = new TokenCache();
  private readonly expansions = new Map<QueryWord, Expansion>();
  private readonly candidates: Candidates;
  private readonly vocabulary: Buffer;
  /** The number of the last lookup that found each token: several hashes may find the same token. */
  private readonly lastLookup: Uint32Array;
  private lookupNumber = 0;
  /** The token codes in the index: a list in Latin letters needs no lookups of other scripts. */
  private readonly codes = new Set<string>();
  /** Cache of tokens by number. */
  private readonly tokensById: (NameToken | undefined)[];
  private madeCount = 0;

  constructor(readonly index: PackedIndex) {
    this.candidates = new Candidates(index);
    this.lastLookup = new Uint32Array(index.letters.length);
    this.tokensById = new Array<NameToken | undefined>(index.letters.length).fill(undefined);
    const { buffer, byteOffset, length } = index.vocabulary;
    this.vocabulary = Buffer.from(buffer as ArrayBuffer, byteOffset, length);
    for (let id = 0; id < index.letters.length; id += 1) {
      this.codes.add(String.fromCharCode(index.vocabulary[index.vocabularyAt[id]!]!));
    }
  }

  get names(): number {
    return this.index.nameWeight.length;
  }

  /** Finds the names that score at least the threshold. */
  search(asked: NameQuery, { threshold, limit, rank = () => 'EVIDENCE' }: SearchOptions): FoundNames {
    const groups = this.groupsOf(asked);
    if (groups.length === 0) return NO_NAMES;
    const least = threshold >= TWO_WORDS_FROM && asked.words.length > 1 ? 2 : 1;
    const maxCandidates = Math.min(MAX_CANDIDATES, limit * CANDIDATES_PER_RESULT);
    const candidates = this.candidates.find(groups, asked.weight, {
      ...{ least, floor: threshold - ESTIMATE_MARGIN, rank },
      ...{ wanted: maxCandidates, most: Math.max(maxCandidates, MAX_CANDIDATES / 2) },
    });
    return {
      matches: candidates.names.length === 0 ? [] : this.scoreNames(asked, candidates.names, threshold),
      isCut: candidates.isCut,
    };
  }

  private *scoreNames(asked: NameQuery, names: readonly number[], threshold: number): Generator<NameMatch> {
    const compare = memoizedComparison();
    for (const name of names) {
      const pair = scoreTokens(asked.tokens, this.tokensOfName(name), this.kindOf(asked.kind, name), compare);
      if (pair.score >= threshold) yield { name, pair };
    }
  }

  tokensOfName(name: number): NameToken[] {
    const { nameAt, nameTokens } = this.index;
    const tokens: NameToken[] = [];
    for (let i = nameAt[name] ?? 0; i < (nameAt[name + 1] ?? 0); i += 1) {
      tokens.push(this.tokenAt(nameTokens[i] ?? 0));
    }
    return tokens;
  }

  bearersOf = (name: number): Uint32Array =>
    this.index.bearers.subarray(this.index.bearersAt[name], this.index.bearersAt[name + 1]);

  /** Returns the share (0 to 1) of the names that contain this spelling of a token. */
  tokenFrequency(token: NameToken): number {
    return this.countNamesWith(this.find('N', token.text)) / Math.max(1, this.names);
  }

  private kindOf(asked: NameKind, name: number): NameKind {
    const nameKind = kindCodes[this.index.nameKind[name] ?? 0] ?? 'UNKNOWN';
    return nameKind === 'UNKNOWN' ? asked : nameKind;
  }

  private tokenAt(id: number): NameToken {
    const cachedToken = this.tokensById[id];
    if (cachedToken) return cachedToken;
    if (this.madeCount >= TOKENS_KEPT) {
      this.tokensById.fill(undefined);
      this.madeCount = 0;
    }
    const token = tokenOf(this.keyOf(id));
    this.tokensById[id] = token;
    this.madeCount += 1;
    return token;
  }

  private keyOf(token: number): string {
    const { vocabularyAt } = this.index;
    return this.vocabulary.toString('latin1', vocabularyAt[token], vocabularyAt[token + 1]);
  }

  private groupsOf({ words, joins }: NameQuery): WordGroup[] {
    const groups: WordGroup[] = [];
    const add = (word: QueryWord): void => {
      const expansion = this.expand(word);
      if (expansion.tokens.length > 0) groups.push({ expansion, weight: word.token.weight, words: 1 });
    };
    for (const word of words) add(word);
    for (const joined of joins) {
      const group = this.joinedGroup(joined, groups);
      if (group) groups.push(group);
    }
    for (const word of words) this.split(word, add);
    // The rarest first: they find few names, and common words then only add to the scores of these names.
    return groups.sort((a, b) => a.expansion.postings - b.expansion.postings);
  }

  /** Returns the tokens of the index that are similar to a word. */
  private expand(word: QueryWord): Expansion {
    const cachedExpansion = this.expansions.get(word);
    if (cachedExpansion) return cachedExpansion;
    const expansion = this.expansionOf(this.tokensLike(word), word.token, MIN_LIKENESS);
    if (this.expansions.size >= EXPANSIONS_KEPT) this.expansions.clear();
    this.expansions.set(word, expansion);
    return expansion;
  }

  /** Looks up two adjacent words as one. Nearly always the index has nothing similar (null), so nothing is cached. */
  private joinedGroup(joined: QueryToken, groups: readonly WordGroup[]): WordGroup | null {
    const similarTokens = this.tokensLike(joined);
    if (similarTokens.length === 0) return null;
    const token = tokenOfQuery(joined);
    // These are the tokens that no single word finds: `jsilva` adds nothing to the match of `silva` with `silva`.
    const singleIds = similarTokens.filter(
      (id) => !groups.some(({ expansion, words }) => words === 1 && expansion.tokens.includes(id)),
    );
    const expansion = this.expansionOf(singleIds, token, MIN_JOIN_SIMILARITY);
    return expansion.tokens.length === 0 ? null : { expansion, weight: token.weight * 2, words: 2 };
  }

  /** Looks up a long word as two that lost their space. Both halves must be words of the index. */
  private split({ splits, splitCode }: QueryWord, add: (part: QueryWord) => void): void {
    for (const parts of splits) {
      if (!parts.every((part) => this.find(splitCode, part) >= 0)) continue;
      for (const part of parts) add(queryWord(this.cache.of(splitCode + part)));
    }
  }

  /** Returns the tokens whose similarity to the word is at least `least`, best first. */
  private expansionOf(ids: readonly number[], token: NameToken, least: number): Expansion {
    if (ids.length === 0) return NO_EXPANSION;
    const { postingsAt } = this.index;
    const alike: { readonly id: number; readonly gain: number }[] = [];
    let postings = 0;
    for (const id of ids) {
      const gain = compareTokens(token, this.tokenAt(id), least)?.similarity ?? 0;
      if (gain < least) continue;
      alike.push({ id, gain });
      postings += postingsAt[id + 1]! - postingsAt[id]!;
    }
    if (alike.length === 0) return NO_EXPANSION;
    // If a name has two of the tokens, the more similar one counts.
    if (alike.length > 1) alike.sort((a, b) => b.gain - a.gain);
    return {
      tokens: Uint32Array.from(alike, ({ id }) => id),
      gains: Float32Array.from(alike, ({ gain }) => gain),
      postings,
    };
  }

  /** Finds tokens to compare, by text, then sound, then typo. Each step allows fewer different letters. */
  private tokensLike(wanted: QueryToken): readonly number[] {
    const { sounds, soundsAt, deletes, deletesAt } = this.index;
    const similarTokens: number[] = [];
    this.lookupNumber += 1;
    for (const text of wanted.exact) {
      for (const code of wanted.codes) {
        const id = this.find(code, text);
        if (id >= 0) this.consider(id, wanted, ANY_LETTERS, similarTokens);
      }
    }
    for (const hash of wanted.sounds) {
      this.lookUpHash(hash, sounds, soundsAt, wanted, LETTERS_OF_A_SOUND, similarTokens);
    }
    for (const hash of wanted.slips) {
      this.lookUpHash(hash, deletes, deletesAt, wanted, LETTERS_OF_TWO_EDITS, similarTokens);
    }
    return similarTokens;
  }

  private lookUpHash(
    hash: number,
    items: Uint32Array,
    at: Uint32Array,
    wanted: QueryToken,
    mostLetters: number,
    found: number[],
  ): void {
    const bucket = hash & (at.length - 2);
    const end = at[bucket + 1]!;
    for (let i = at[bucket]!; i < end; i += 1) {
      const item = items[i]!;
      if (hasHashTag(item, hash)) this.consider(tokenIn(item), wanted, mostLetters, found);
    }
  }

  private consider(id: number, { text, letters, slack }: QueryToken, most: number, found: number[]): void {
    if (this.lastLookup[id] === this.lookupNumber) return;
    this.lastLookup[id] = this.lookupNumber;
    const { vocabularyAt } = this.index;
    const length = vocabularyAt[id + 1]! - vocabularyAt[id]! - 1;
    if (Math.abs(length - text.length) > slack) return;
    if (bitCount(this.index.letters[id]! ^ letters) <= most) found.push(id);
  }

  private find(code: string, text: string): number {
    if (!this.codes.has(code)) return -1;
    const { exact, vocabulary, vocabularyAt } = this.index;
    const mask = exact.length - 1;
    const first = code.charCodeAt(0);
    for (let slot = hashOfKey(code, text) & mask; ; slot = (slot + 1) & mask) {
      const id = exact[slot]!;
      if (id < 0) return -1;
      const at = vocabularyAt[id]!;
      if (vocabularyAt[id + 1]! - at !== text.length + 1 || vocabulary[at] !== first) continue;
      let i = 0;
      while (i < text.length && vocabulary[at + 1 + i] === text.charCodeAt(i)) i += 1;
      if (i === text.length) return id;
    }
  }

  private countNamesWith(token: number): number {
    const { postingsAt } = this.index;
    return token < 0 ? 0 : (postingsAt[token + 1] ?? 0) - (postingsAt[token] ?? 0);
  }
}
