/* eslint-disable @typescript-eslint/no-non-null-assertion -- typed arrays read within their bounds, on the hottest lines */
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
import { hashOfKey, hasHashTag, kindCodes, tokenIn, type PackedIndex } from './packed-index.js';
import { MIN_JOIN_SIMILARITY } from '../names/joins.js';
import { scoreTokens, type PairScore } from '../names/pair-scorer.js';
import { compareTokens, memoizedComparison } from '../names/token-similarity.js';

export interface NameMatch extends PairScore {
  /** Number of the name in the index. */
  readonly name: number;
}

export interface SearchOptions {
  /** Names that score less (0 to 1) are left out. */
  readonly threshold: number;
  /** At most this many distinct names, best first. */
  readonly limit: number;
}

/** The tokens of the index that are similar to one word of the query. */
interface Expansion {
  readonly tokens: Uint32Array;
  readonly gains: Float32Array;
  readonly postings: number;
}

/** One word of the query, two joined words, or half of a word. */
interface Group {
  readonly expansion: Expansion;
  readonly weight: number;
  /** Number of words of the query that the group covers. */
  readonly words: number;
}
const NOTHING: Expansion = { tokens: new Uint32Array(0), gains: new Float32Array(0), postings: 0 };
const MIN_LIKENESS = 0.7;
const EXPANSIONS_KEPT = 20_000;
const TOKENS_KEPT = 60_000;
const CANDIDATES_PER_RESULT = 3;
const MAX_CANDIDATES = 400;
// How much an estimate may be too low: it ignores titles, initials, suffixes and joined words.
const ESTIMATE_MARGIN = 0.14;
// The weight from which a query may contain a name whole, with any amount of filler.
const LONG_TEXT = 4;
const MAX_FILLER_SHARE = 2;
const BINS = 128;
// Maximum number of letters in which two tokens may differ, by the index that found them.
const LETTERS_OF_TWO_EDITS = 4;
const LETTERS_OF_A_SOUND = 9;
const ANY_LETTERS = 32;
const MAX_SPLITS = 6;
const OWN_WORD_FROM = 5;
// Once there are this many candidates, only very similar words add new candidates.
const MANY_POSTINGS = 20_000;
// If both names have two words or more, one equal word never reaches this score (see the caps of the scorer).
const TWO_NAMES_FROM = 0.75;

/** Searches a packed index: candidates by token, then the pair scorer over the best of them. */
export class NameSearch {
  private readonly cache = new TokenCache();
  private readonly expansions = new Map<QueryWord, Expansion>();
  private readonly gained: Float32Array;
  private readonly groupsSeen: Uint8Array;
  private readonly lastGroup: Uint8Array;
  private readonly estimates: Float32Array;
  private touched: Uint32Array = new Uint32Array(1024);
  private touchedCount = 0;
  private readonly bins = new Uint32Array(BINS + 1);
  private readonly vocabulary: Buffer;
  /** The last lookup that found each token: several hashes may find the same token. */
  private readonly lookedAt: Uint32Array;
  private stamp = 0;
  /** The token codes in the index: a list in Latin letters needs no lookups of other scripts. */
  private readonly codes = new Set<string>();
  /** Cache of tokens by number. */
  private readonly made: (NameToken | undefined)[];
  private madeCount = 0;

  constructor(readonly index: PackedIndex) {
    const names = this.names;
    this.gained = new Float32Array(names);
    this.estimates = new Float32Array(names);
    this.groupsSeen = new Uint8Array(names);
    this.lastGroup = new Uint8Array(names);
    this.lookedAt = new Uint32Array(index.letters.length);
    this.made = new Array<NameToken | undefined>(index.letters.length).fill(undefined);
    const { buffer, byteOffset, length } = index.vocabulary;
    this.vocabulary = Buffer.from(buffer as ArrayBuffer, byteOffset, length);
    for (let id = 0; id < index.letters.length; id += 1) {
      this.codes.add(String.fromCharCode(index.vocabulary[index.vocabularyAt[id]!]!));
    }
  }

  get names(): number {
    return this.index.nameWeight.length;
  }

  /** Returns the `alive` names that score at least the threshold, best first. */
  search(
    asked: NameQuery,
    { threshold, limit }: SearchOptions,
    alive: (name: number) => boolean = () => true,
  ): NameMatch[] {
    const groups = this.groupsOf(asked);
    if (groups.length === 0) return [];
    const least = threshold >= TWO_NAMES_FROM && asked.words.length > 1 ? 2 : 1;
    this.accumulate(groups, least);
    const candidates = this.best(asked.weight, threshold - ESTIMATE_MARGIN, limit, least);
    this.forget();
    const matches: NameMatch[] = [];
    const compare = memoizedComparison();
    let full = 0;
    for (const name of candidates) {
      if (!alive(name)) continue;
      const kind = this.kindOf(asked.kind, name);
      const found = scoreTokens(asked.tokens, this.tokensOfName(name), kind, compare);
      if (found.score >= threshold) matches.push({ name, score: found.score, alignment: found.alignment });
      // No further name can score more.
      if (found.score === 1 && (full += 1) >= limit) break;
    }
    return matches.sort((a, b) => b.score - a.score || a.name - b.name).slice(0, limit);
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
    return this.bearing(this.find('N', token.text)) / Math.max(1, this.names);
  }

  private kindOf(asked: NameKind, name: number): NameKind {
    const own = kindCodes[this.index.nameKind[name] ?? 0] ?? 'UNKNOWN';
    return own === 'UNKNOWN' ? asked : own;
  }

  private tokenAt(id: number): NameToken {
    const known = this.made[id];
    if (known) return known;
    if (this.madeCount >= TOKENS_KEPT) {
      this.made.fill(undefined);
      this.madeCount = 0;
    }
    const token = tokenOf(this.keyOf(id));
    this.made[id] = token;
    this.madeCount += 1;
    return token;
  }

  private keyOf(token: number): string {
    const { vocabularyAt } = this.index;
    return this.vocabulary.toString('latin1', vocabularyAt[token], vocabularyAt[token + 1]);
  }

  private groupsOf({ words, joins }: NameQuery): Group[] {
    const groups: Group[] = [];
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
    const known = this.expansions.get(word);
    if (known) return known;
    const expansion = this.expansionOf(this.tokensLike(word), word.token, MIN_LIKENESS);
    if (this.expansions.size >= EXPANSIONS_KEPT) this.expansions.clear();
    this.expansions.set(word, expansion);
    return expansion;
  }

  /** Looks up two adjacent words as one. Nearly always the index has nothing similar (null), so nothing is cached. */
  private joinedGroup(joined: QueryToken, groups: readonly Group[]): Group | null {
    const found = this.tokensLike(joined);
    if (found.length === 0) return null;
    const token = tokenOfQuery(joined);
    // Only tokens that no single word finds: `jsilva` adds nothing to the match of `silva` with `silva`.
    const own = found.filter(
      (id) => !groups.some(({ expansion, words }) => words === 1 && expansion.tokens.includes(id)),
    );
    const expansion = this.expansionOf(own, token, MIN_JOIN_SIMILARITY);
    return expansion.tokens.length === 0 ? null : { expansion, weight: token.weight * 2, words: 2 };
  }

  /** Looks up a long word as two that lost their space. Both halves must be words of the index. */
  private split({ text, splits, splitCode }: QueryWord, add: (part: QueryWord) => void): void {
    // A word that occurs in several names has lost no space.
    if (splits.length === 0 || this.bearing(this.find(splitCode, text)) >= OWN_WORD_FROM) return;
    let taken = 0;
    for (const parts of splits) {
      if (!parts.every((part) => this.find(splitCode, part) >= 0)) continue;
      for (const part of parts) add(queryWord(this.cache.of(splitCode + part)));
      taken += 1;
      if (taken === MAX_SPLITS) return;
    }
  }

  /** Returns the tokens whose similarity to the word is at least `least`, best first. */
  private expansionOf(ids: readonly number[], token: NameToken, least: number): Expansion {
    if (ids.length === 0) return NOTHING;
    const { postingsAt } = this.index;
    const alike: { readonly id: number; readonly gain: number }[] = [];
    let postings = 0;
    for (const id of ids) {
      const gain = compareTokens(token, this.tokenAt(id), least)?.similarity ?? 0;
      if (gain < least) continue;
      alike.push({ id, gain });
      postings += postingsAt[id + 1]! - postingsAt[id]!;
    }
    if (alike.length === 0) return NOTHING;
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
    const found: number[] = [];
    this.stamp += 1;
    for (const text of wanted.exact) {
      for (const code of wanted.codes) {
        const id = this.find(code, text);
        if (id >= 0) this.consider(id, wanted, ANY_LETTERS, found);
      }
    }
    for (const hash of wanted.sounds) this.lookFor(hash, sounds, soundsAt, wanted, LETTERS_OF_A_SOUND, found);
    for (const hash of wanted.slips) {
      this.lookFor(hash, deletes, deletesAt, wanted, LETTERS_OF_TWO_EDITS, found);
    }
    return found;
  }

  private lookFor(
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
    if (this.lookedAt[id] === this.stamp) return;
    this.lookedAt[id] = this.stamp;
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

  private bearing(token: number): number {
    const { postingsAt } = this.index;
    return token < 0 ? 0 : (postingsAt[token + 1] ?? 0) - (postingsAt[token] ?? 0);
  }

  private accumulate(groups: readonly Group[], least: number): void {
    const { postings, postingsAt } = this.index;
    const { gained, groupsSeen, lastGroup } = this;
    let left = groups.reduce((sum, { words }) => sum + words, 0);
    groups.forEach(({ expansion, weight, words }, g) => {
      // A name with none of the words so far cannot reach `least` with the remaining ones. A name without the rarest
      // word reaches the threshold only if the others are very similar.
      const newcomers = left >= least;
      left -= words;
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
          const seen = groupsSeen[name]!;
          if (seen === 0) {
            if (!welcome) continue;
            this.touch(name);
          } else if (lastGroup[name] === mark) continue;
          lastGroup[name] = mark;
          groupsSeen[name] = seen + words;
          gained[name] = gained[name]! + gain;
        }
      }
    });
  }

  private touch(name: number): void {
    if (this.touchedCount === this.touched.length) {
      const larger = new Uint32Array(this.touched.length * 2);
      larger.set(this.touched);
      this.touched = larger;
    }
    this.touched[this.touchedCount] = name;
    this.touchedCount += 1;
  }

  /** Returns the names with the best estimates: the weight shared with the query, compared with the rest. */
  private best(asked: number, floor: number, limit: number, least: number): number[] {
    const { nameWeight } = this.index;
    const { touched, groupsSeen, estimates } = this;
    const { bins } = this;
    const most = asked > LONG_TEXT ? MAX_FILLER_SHARE : Infinity;
    const wanted = Math.min(MAX_CANDIDATES, limit * CANDIDATES_PER_RESULT);
    if (this.touchedCount === 0) return [];
    bins.fill(0);
    const eligible: number[] = [];
    for (let t = 0; t < this.touchedCount; t += 1) {
      const name = touched[t]!;
      if (groupsSeen[name]! < least) continue;
      const gained = this.gained[name]!;
      const mine = Math.max(0, asked - gained);
      const theirs = Math.max(0, nameWeight[name]! - gained);
      const estimate =
        gained / (gained + 1.4 * Math.min(mine, theirs) + 0.2 * Math.min(most, Math.abs(mine - theirs)));
      if (estimate < floor) continue;
      estimates[name] = estimate;
      eligible.push(name);
      const bin = Math.floor(estimate * BINS);
      bins[bin] = bins[bin]! + 1;
    }
    let bin = BINS;
    let count = bins[bin]!;
    while (bin > 1 && count < wanted) {
      bin -= 1;
      count += bins[bin]!;
    }
    const chosen = eligible.filter((name) => Math.floor(estimates[name]! * BINS) >= bin);
    chosen.sort((a, b) => estimates[b]! - estimates[a]! || a - b);
    return chosen.slice(0, Math.max(wanted, MAX_CANDIDATES / 2));
  }

  private forget(): void {
    for (let t = 0; t < this.touchedCount; t += 1) {
      const name = this.touched[t]!;
      this.gained[name] = 0;
      this.groupsSeen[name] = 0;
      this.lastGroup[name] = 0;
    }
    this.touchedCount = 0;
  }
}
