/* eslint-disable @typescript-eslint/no-non-null-assertion -- typed arrays read within their bounds, on the hottest lines */
import { TokenCache, tokenOf, type NameToken } from './name-token.js';
import type { NameKind } from './normalise.js';
import {
  consonantHash,
  deleteHashes,
  hashText,
  isMarked,
  kindCodes,
  soundHash,
  tokenIn,
  type PackedIndex,
} from './packed-index.js';
import { foldKey } from './phonetic.js';
import { JOIN_AT_LEAST, scoreTokens, tokensOf, type PairScore } from './pair-scorer.js';
import { bitCount, compareTokens, consonantsOf, lettersOf, type TokenMatch } from './token-similarity.js';
import { otherSpellings, particles, titles } from './vocabulary.js';

export interface NameMatch extends PairScore {
  /** Number of the name in the index. */
  readonly name: number;
}

export interface SearchOptions {
  /** Names that score less are left out, 0 to 1. */
  readonly threshold: number;
  /** At most this many distinct names, best first. */
  readonly limit: number;
}

/** Tokens of the index that one word of the question may stand for. */
interface Expansion {
  readonly tokens: Uint32Array;
  readonly gains: Float32Array;
  readonly postings: number;
}

/** One word of the question, or two read as one, or a half of one. */
interface Group {
  readonly expansion: Expansion;
  readonly weight: number;
  /** How many words of the question it stands for. */
  readonly words: number;
}

const LEAST_LIKENESS = 0.7;
const EXPANSIONS_KEPT = 20_000;
const TOKENS_KEPT = 60_000;
// Candidates scored in full: a multiple of what is asked for, as the estimate may put some of them in the wrong order.
const CANDIDATES_PER_RESULT = 3;
const MOST_CANDIDATES = 400;
// The estimate knows nothing of titles, initials, suffixes and joined words.
const ESTIMATE_MARGIN = 0.14;
const BINS = 128;
// How many letters two tokens may have that the other has not, by the way they were found.
const LETTERS_OF_TWO_EDITS = 4;
const LETTERS_OF_A_SOUND = 9;
const ANY_LETTERS = 32;
const NAME_CODES = ['N', 'G', 'H', 'A'] as const;
const NUMBER_CODES = ['D'] as const;
const LONGEST_JOIN = 3;
const SPLIT_FROM = 4;
const SHORTEST_PART = 2;
const MOST_SPLITS = 6;
const OWN_WORD_FROM = 5;
// From here on it matters how many names a word brings in.
const MANY_POSTINGS = 20_000;
// With two names or more on both sides, one in common never reaches this (see the caps of the scorer).
const TWO_NAMES_FROM = 0.75;

/** Searches a packed index: candidates by token, then the pair scorer over the best of them. */
export class NameSearch {
  private readonly cache = new TokenCache();
  private readonly expansions = new Map<string, Expansion>();
  private readonly gained: Float32Array;
  private readonly groupsSeen: Uint8Array;
  private readonly lastGroup: Uint8Array;
  private readonly estimates: Float32Array;
  private touched: Uint32Array = new Uint32Array(1024);
  private touchedCount = 0;
  private readonly vocabulary: Buffer;
  /** In which look-up a token was seen last: the same one comes up by several of its hashes. */
  private readonly lookedAt: Uint32Array;
  private stamp = 0;
  /** The text that is looked for now: its letters, its length, by how many letters a token may be longer or shorter. */
  private letters = 0;
  private length = 0;
  private slack = 0;
  private found: number[] = [];
  private readonly hashes: number[] = [];
  /** Tokens of the index as they were needed, by number. */
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
  }

  /** How many distinct names there are. */
  get names(): number {
    return this.index.nameWeight.length;
  }

  /** The names that score at least the threshold, best first. `alive` leaves out names that are no longer borne. */
  search(
    raw: string,
    kind: NameKind,
    { threshold, limit }: SearchOptions,
    alive: (name: number) => boolean = () => true,
  ): NameMatch[] {
    const question = tokensOf(raw, kind);
    const groups = this.groupsOf(question);
    if (groups.length === 0) return [];
    const least = threshold >= TWO_NAMES_FROM && question.filter(isSearched).length > 1 ? 2 : 1;
    this.accumulate(groups, least);
    const candidates = this.best(weightOf(question), threshold - ESTIMATE_MARGIN, limit, least);
    this.forget();
    const matches: NameMatch[] = [];
    const compare = remembering();
    let full = 0;
    for (const name of candidates) {
      if (!alive(name)) continue;
      const scored = scoreTokens(question, this.tokensOfName(name), this.kindOf(kind, name), compare);
      if (scored.score >= threshold) matches.push({ name, ...scored });
      // Nothing can score more than these.
      if (scored.score === 1 && (full += 1) >= limit) break;
    }
    return matches.sort((a, b) => b.score - a.score || a.name - b.name).slice(0, limit);
  }

  /** The tokens of a name in the index. */
  tokensOfName(name: number): NameToken[] {
    const { nameAt, nameTokens } = this.index;
    const tokens: NameToken[] = [];
    for (let i = nameAt[name] ?? 0; i < (nameAt[name + 1] ?? 0); i += 1) {
      tokens.push(this.tokenAt(nameTokens[i] ?? 0));
    }
    return tokens;
  }

  /** The entries that bear a name. */
  bearersOf(name: number): Uint32Array {
    const { bearers, bearersAt } = this.index;
    return bearers.subarray(bearersAt[name], bearersAt[name + 1]);
  }

  /** What share of the names holds a token, spelt this way. */
  shareOf(token: NameToken): number {
    return this.bearing(this.find(`N${token.text}`)) / Math.max(1, this.names);
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

  private groupsOf(question: readonly NameToken[]): Group[] {
    const groups: Group[] = [];
    const add = (token: NameToken): void => {
      const expansion = this.expand(token);
      if (expansion.tokens.length > 0) groups.push({ expansion, weight: token.weight, words: 1 });
    };
    for (const token of question) if (isSearched(token)) add(token);
    for (const joined of joinsOf(question)) {
      const group = this.joinedGroup(joined, groups);
      if (group) groups.push(group);
    }
    for (const part of this.splitsOf(question).flat()) add(part);
    // The rarest first: they bring in few names, and the common ones then only add to those.
    return groups.sort((a, b) => a.expansion.postings - b.expansion.postings);
  }

  /** The tokens of the index that a word may stand for. */
  private expand(token: NameToken): Expansion {
    const name = `${token.role}${token.script}${token.text}`;
    const known = this.expansions.get(name);
    if (known) return known;
    const found = this.begin(token.text, 4);
    this.lookUp(token.text, token.role === 'NUMBER' ? NUMBER_CODES : NAME_CODES);
    for (const other of otherSpellings.get(token.text) ?? []) this.lookUp(other, NAME_CODES);
    if (token.role !== 'NUMBER') {
      if (token.text.length > 4) this.lookUp(reversed(token.text), NAME_CODES);
      this.lookForSounds(token);
      this.lookForSlips(token.text, 2);
    }
    const expansion = this.expansionOf(found, token, LEAST_LIKENESS);
    if (this.expansions.size >= EXPANSIONS_KEPT) this.expansions.clear();
    this.expansions.set(name, expansion);
    return expansion;
  }

  /**
   * Two words read as one; null when the index knows nothing like it, as with nearly all. Those are so many, and so
   * rarely asked for twice, that none is remembered, and what takes time is done for those only that look like a word.
   */
  private joinedGroup(text: string, groups: readonly Group[]): Group | null {
    const found = this.begin(text, 3);
    this.lookUp(text, NAME_CODES);
    this.lookFor(soundHash(foldKey(text)), LETTERS_OF_A_SOUND, this.index.sounds, this.index.soundsAt);
    this.lookForSlips(text, 1);
    if (found.length === 0) return null;
    const token = tokenOf(`N${text}`);
    // What only the joined word stands for: `jsilva` is no better a reason to look at `silva` than `silva` is.
    const own = found.filter(
      (id) => !groups.some(({ expansion, words }) => words === 1 && expansion.tokens.includes(id)),
    );
    const expansion = this.expansionOf(own, token, JOIN_AT_LEAST);
    return expansion.tokens.length === 0 ? null : { expansion, weight: token.weight * 2, words: 2 };
  }

  /** Which of the tokens are at least so much like the word, the likeliest first. */
  private expansionOf(ids: readonly number[], token: NameToken, least: number): Expansion {
    const { postingsAt } = this.index;
    const alike: { readonly id: number; readonly gain: number }[] = [];
    let postings = 0;
    for (const id of ids) {
      const gain = compareTokens(token, this.tokenAt(id), least)?.similarity ?? 0;
      if (gain < least) continue;
      alike.push({ id, gain });
      postings += postingsAt[id + 1]! - postingsAt[id]!;
    }
    // A name that holds two of them counts with the better one.
    if (alike.length > 1) alike.sort((a, b) => b.gain - a.gain);
    return {
      tokens: Uint32Array.from(alike, ({ id }) => id),
      gains: Float32Array.from(alike, ({ gain }) => gain),
      postings,
    };
  }

  /** Begins to look for tokens like a text; returns what is filled by `lookUp`, `lookFor` and the like. */
  private begin(text: string, slack: number): number[] {
    this.stamp += 1;
    this.letters = lettersOf(text);
    this.length = text.length;
    this.slack = slack;
    this.found = [];
    return this.found;
  }

  private lookUp(text: string, codes: readonly string[]): void {
    for (const code of codes) {
      const id = this.find(code + text);
      if (id >= 0) this.consider(id, ANY_LETTERS);
    }
  }

  private lookForSounds(token: NameToken): void {
    const { sounds, soundsAt } = this.index;
    this.lookFor(soundHash(token.fold), LETTERS_OF_A_SOUND, sounds, soundsAt);
    for (const script of ['CONSONANTS', 'SYLLABLES'] as const) {
      if (token.script !== 'FULL' && token.script !== script) continue;
      const consonants = consonantsOf(token, script);
      if (consonants === '') continue;
      this.lookFor(consonantHash(consonants, script, false), LETTERS_OF_A_SOUND, sounds, soundsAt);
      if (token.script === 'FULL') continue;
      this.lookFor(consonantHash(consonants, script, true), LETTERS_OF_A_SOUND, sounds, soundsAt);
    }
  }

  /** Tokens that are the text but for a few letters. */
  private lookForSlips(text: string, letters: 1 | 2): void {
    const { deletes, deletesAt } = this.index;
    this.hashes.length = 0;
    deleteHashes(text, this.hashes, letters);
    for (const hash of this.hashes) this.lookFor(hash, LETTERS_OF_TWO_EDITS, deletes, deletesAt);
  }

  private lookFor(hash: number, mostLetters: number, items: Uint32Array, at: Uint32Array): void {
    const bucket = hash & (at.length - 2);
    const end = at[bucket + 1]!;
    for (let i = at[bucket]!; i < end; i += 1) {
      const item = items[i]!;
      if (isMarked(item, hash)) this.consider(tokenIn(item), mostLetters);
    }
  }

  private consider(id: number, mostLetters: number): void {
    // The ways of finding go from the one that allows most letters to the one that allows fewest: once is enough.
    if (this.lookedAt[id] === this.stamp) return;
    this.lookedAt[id] = this.stamp;
    const { vocabularyAt, letters } = this.index;
    const length = vocabularyAt[id + 1]! - vocabularyAt[id]! - 1;
    if (Math.abs(length - this.length) > this.slack) return;
    if (bitCount(letters[id]! ^ this.letters) > mostLetters) return;
    this.found.push(id);
  }

  private find(key: string): number {
    const { exact, vocabularyAt } = this.index;
    const mask = exact.length - 1;
    let slot = hashText(key) & mask;
    for (;;) {
      const id = exact[slot] ?? -1;
      if (id < 0) return -1;
      if ((vocabularyAt[id + 1] ?? 0) - (vocabularyAt[id] ?? 0) === key.length && this.keyOf(id) === key) {
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** A long word may be two that lost their space; both halves must be words of the index. */
  private splitsOf(question: readonly NameToken[]): (readonly NameToken[])[] {
    const splits: (readonly NameToken[])[] = [];
    for (const { role, script, text } of question) {
      if (role !== 'NAME' || text.length < SPLIT_FROM) continue;
      const code = script === 'FULL' ? 'N' : script === 'CONSONANTS' ? 'A' : 'H';
      // A word that several bear is that word, and no two that lost their space.
      if (this.bearing(this.find(code + text)) >= OWN_WORD_FROM) continue;
      const found: (readonly NameToken[])[] = [];
      for (let at = SHORTEST_PART; at <= text.length - SHORTEST_PART; at += 1) {
        const left = text.slice(0, at);
        const right = text.slice(at);
        const parts = [left, right].filter((part) => !particles.has(part) && !titles.has(part));
        if (parts.length > 0 && parts.every((part) => this.find(code + part) >= 0)) {
          found.push(parts.map((part) => this.cache.of(code + part)));
        }
      }
      // The most even split first: its halves say the most.
      found.sort((a, b) => shortest(b) - shortest(a));
      splits.push(...found.slice(0, MOST_SPLITS));
    }
    return splits;
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
      // Who has none of the words so far cannot reach `least` with the ones that are left; and who lacks the rarest
      // word reaches the threshold with good likenesses only.
      const newcomers = left >= least;
      left -= words;
      const mark = (g + 1) & 0xff;
      const { tokens, gains } = expansion;
      for (let t = 0; t < tokens.length; t += 1) {
        const token = tokens[t] ?? 0;
        const likeness = gains[t] ?? 0;
        const gain = likeness * weight;
        const welcome =
          newcomers && (g === 0 || likeness >= JOIN_AT_LEAST || expansion.postings < MANY_POSTINGS);
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

  /** The names with the best estimates: what they have in common with the question against what they have not. */
  private best(asked: number, floor: number, limit: number, least: number): number[] {
    const { nameWeight } = this.index;
    const { touched, groupsSeen, estimates } = this;
    const wanted = Math.min(MOST_CANDIDATES, limit * CANDIDATES_PER_RESULT);
    const bins = new Uint32Array(BINS + 1);
    const eligible: number[] = [];
    for (let t = 0; t < this.touchedCount; t += 1) {
      const name = touched[t]!;
      if (groupsSeen[name]! < least) continue;
      const gained = this.gained[name]!;
      const mine = Math.max(0, asked - gained);
      const theirs = Math.max(0, nameWeight[name]! - gained);
      const estimate = gained / (gained + 1.4 * Math.min(mine, theirs) + 0.2 * Math.abs(mine - theirs));
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
    return chosen.slice(0, Math.max(wanted, MOST_CANDIDATES / 2));
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

function reversed(text: string): string {
  let out = '';
  for (let i = text.length - 1; i >= 0; i -= 1) out += text.charAt(i);
  return out;
}

const shortest = (tokens: readonly NameToken[]): number => Math.min(...tokens.map(({ text }) => text.length));

const isSearched = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'GENERIC' || role === 'NUMBER';

const weightOf = (tokens: readonly NameToken[]): number =>
  tokens.reduce((sum, token) => sum + (isSearched(token) ? token.weight : 0), 0);

/** What is hardly a word of its own may be half of one: `Khi Dr` for Khidr. */
const isGlue = ({ role }: NameToken): boolean =>
  role === 'PARTICLE' || role === 'INITIAL' || role === 'TITLE';

/** Neighbours read as one word. */
function joinsOf(question: readonly NameToken[]): string[] {
  const joins: string[] = [];
  for (let from = 0; from < question.length; from += 1) {
    let text = '';
    for (let i = from; i < Math.min(question.length, from + LONGEST_JOIN); i += 1) {
      const token = question[i];
      if (!token || !(isSearched(token) || isGlue(token))) break;
      text += token.text;
      if (i > from && text.length >= 4) joins.push(text);
    }
  }
  return joins;
}

/** Compares tokens, each two of them once: the candidates of one question share most of their tokens. */
function remembering(): typeof compareTokens {
  const known = new Map<NameToken, Map<NameToken, TokenMatch | null>>();
  return (a, b) => {
    let own = known.get(a);
    if (!own) known.set(a, (own = new Map<NameToken, TokenMatch | null>()));
    let match = own.get(b);
    if (match === undefined) own.set(b, (match = compareTokens(a, b)));
    return match;
  };
}
