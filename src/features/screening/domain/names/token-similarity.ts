/* oxlint-disable typescript/no-non-null-assertion -- typed arrays read within their bounds, on the hottest lines */
import { table } from '../../../../platform/kernel/table.js';
import { bitCount } from './words/letters.js';
import { mechanisms } from './mechanisms.js';
import { isSyllable, type NameToken } from './name-token.js';
import { consonantCount, transliterationDistance } from './words/abjad.js';
import { givenNames } from './words/names-in-use.js';
import { isNicknameOf } from './words/nicknames.js';
import { chineseSystem } from './words/romanisation.js';

/** How two tokens were found to be alike; part of the explanation of a score. */
export type TokenLikeness =
  | 'EXACT'
  | 'SPELLING'
  | 'PHONETIC'
  | 'NICKNAME'
  | 'INITIAL'
  | 'TYPO'
  | 'CONSONANTS'
  | 'REVERSED'
  | 'JOINED'
  | 'INITIALS'
  | 'ACRONYM'
  | 'ROMANISATION'
  | 'HOMOPHONE';

export interface TokenMatch {
  /** 0 to 1. */
  readonly similarity: number;
  readonly how: TokenLikeness;
}

const exact: TokenMatch = { similarity: 1, how: 'EXACT' };
const spelling: TokenMatch = { similarity: 0.97, how: 'SPELLING' };
const phonetic: TokenMatch = { similarity: 0.95, how: 'PHONETIC' };
const nickname: TokenMatch = { similarity: 0.82, how: 'NICKNAME' };
const initial: TokenMatch = { similarity: 0.9, how: 'INITIAL' };
const consonants: TokenMatch = { similarity: 0.86, how: 'CONSONANTS' };
const reversed: TokenMatch = { similarity: 0.8, how: 'REVERSED' };
const HEARD = 0.97;
// Minimum length of frequent names that may count as spellings of one name by their sound. Shorter names that sound
// alike are different names more often than different spellings.
const SOUND_DECIDES_FROM = 4;

/** Compares two tokens; null if they are not alike. May also return null below `least`, which saves work. */
export function compareTokens(a: NameToken, b: NameToken, least = 0): TokenMatch | null {
  const syllables = mechanisms.SYLLABLES && (isSyllable(a) || isSyllable(b));
  if (a.text === b.text && !syllables) return exact;
  if (a.role === 'NUMBER' || b.role === 'NUMBER') return null;
  if (syllables) return compareSyllables(a, b);
  if (a.role === 'INITIAL' || b.role === 'INITIAL') return compareBeginning(a, b);
  if (a.text.length === 1 || b.text.length === 1) return null;
  if (isWritten(a) && isWritten(b)) return compareWritten(a, b, least);
  if (a.spellings && b.spellings && shareGroup(a.spellings, b.spellings)) return spelling;
  if (isWritten(a) && b.script === 'FULL') return compareReading(a, b);
  if (isWritten(b) && a.script === 'FULL') return compareReading(b, a);
  if (a.chinese !== null && a.chinese === b.chinese && !(givenNames.has(a.text) && givenNames.has(b.text))) {
    const romanised = compareRomanisations(a, b);
    if (romanised) return romanised;
  }
  const sameSound = a.fold === b.fold && a.fold.length > 1;
  // Fernando and Fernanda, Min and Ming: two frequent names are not typos of each other.
  if (a.own && b.own && (!sameSound || Math.min(a.text.length, b.text.length) < SOUND_DECIDES_FROM)) {
    return areNicknames(a, b) ? nickname : null;
  }
  let best: TokenMatch | null = sameSound ? phonetic : null;
  if (!best) {
    const spellingScore = spellingSimilarity(a.text, b.text, a.letters, b.letters, least);
    const heard =
      a.fold === a.text && b.fold === b.text
        ? 0
        : spellingSimilarity(a.fold, b.fold, a.foldLetters, b.foldLetters, least / HEARD) * HEARD;
    const similarity = Math.max(spellingScore, heard);
    if (similarity > 0) best = { similarity, how: 'TYPO' };
  }
  if (areNicknames(a, b)) best = strongerOf(best, nickname);
  if (a.script === 'SYLLABLES' || b.script === 'SYLLABLES') best = strongerOf(best, compareConsonants(a, b));
  else if (a.skeleton.length >= 3 && a.skeleton === b.skeleton && a.text.startsWith(b.text.charAt(0))) {
    best = strongerOf(best, consonants);
  }
  if (a.text.length > 4 && a.text.length === b.text.length && isReverse(a.text, b.text)) {
    best = strongerOf(best, reversed);
  }
  return best;
}

/** Compares an initial or an abbreviation with the word that it may be the beginning of. */
function compareBeginning(a: NameToken, b: NameToken): TokenMatch | null {
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
  return short.role === 'INITIAL' && long.text.startsWith(short.text) ? initial : null;
}

function areNicknames(a: NameToken, b: NameToken): boolean {
  if (a.nicknames && b.nicknames && shareGroup(a.nicknames, b.nicknames)) return true;
  return mechanisms.DIMINUTIVES && (isNicknameOf(a.text, b.text) || isNicknameOf(b.text, a.text));
}

function strongerOf(one: TokenMatch | null, other: TokenMatch | null): TokenMatch | null {
  if (!one || !other) return one ?? other;
  return other.similarity > one.similarity ? other : one;
}

function shareGroup(a: readonly number[], b: readonly number[]): boolean {
  return a.some((group) => b.includes(group));
}

const otherSystem: TokenMatch = { similarity: 0.95, how: 'ROMANISATION' };
// Hundreds of characters are pronounced alike.
const homophone: TokenMatch = { similarity: 0.6, how: 'HOMOPHONE' };
const sameSystem: TokenMatch = { similarity: 0.97, how: 'ROMANISATION' };
const perhapsOtherSystem: TokenMatch = { similarity: 0.9, how: 'ROMANISATION' };

/** Compares a syllable in its own script: it agrees with one of its spellings in Latin letters, or not at all. */
function compareSyllables(a: NameToken, b: NameToken): TokenMatch | null {
  if (a.script === b.script) {
    if (a.text !== b.text) return null;
    return a.character === b.character ? exact : homophone;
  }
  const [own, other] = isSyllable(a) ? [a, b] : [b, a];
  if (other.script !== 'FULL') return null;
  if (own.text === other.text) return sameSystem;
  if (own.script === 'HANGUL') return own.korean !== null && own.korean === other.korean ? otherSystem : null;
  if (own.chinese === null || own.chinese !== other.chinese) return null;
  const system = chineseSystem(other.text);
  if (system === 'PINYIN') return null;
  return system === 'WADE_GILES' ? otherSystem : perhapsOtherSystem;
}

/** Compares Zhang with Chang: one is Pinyin, the other Wade-Giles. */
function compareRomanisations(a: NameToken, b: NameToken): TokenMatch | null {
  const one = chineseSystem(a.text);
  const other = chineseSystem(b.text);
  if (!mechanisms.WADE_GILES || one === other) return null;
  return one === 'WADE_GILES' || other === 'WADE_GILES' ? otherSystem : perhapsOtherSystem;
}

/** Compares two tokens by their consonants, because one was written in syllables. */
function compareConsonants(a: NameToken, b: NameToken): TokenMatch | null {
  const left = consonantsOf(a, 'SYLLABLES');
  const right = consonantsOf(b, 'SYLLABLES');
  if (left.length === 0 || right.length === 0) return null;
  if (left === right) {
    return { similarity: EQUAL_CONSONANTS[left.length] ?? EQUAL_CONSONANTS.at(-1) ?? 0, how: 'CONSONANTS' };
  }
  const most = Math.max(left.length, right.length);
  if (most < 4) return null;
  const similarity = 1 - editCost(left, right, 1.01) / most;
  return similarity >= 0.7 ? { similarity: similarity * 0.9, how: 'CONSONANTS' } : null;
}

// Similarity of equal consonants, by their number: the fewer consonants there are, the more names share them.
const EQUAL_CONSONANTS = [0, 0.7, 0.84, 0.9, 0.93];

const isWritten = ({ script }: NameToken): boolean => mechanisms.CONSONANTS && script === 'CONSONANTS';

/** Compares words of a script without short vowels: Hassan and Hussein differ in a letter that the script writes. */
function compareWritten(a: NameToken, b: NameToken, least: number): TokenMatch | null {
  if (a.own && b.own) return null;
  const similarity = spellingSimilarity(a.text, b.text, a.letters, b.letters, least);
  return similarity > 0 ? { similarity, how: 'TYPO' } : null;
}

// The highest similarity of a guessed reading, which is never as certain as equal letters.
const READING = 0.95;
const READING_SLOPE = 0.75;

/** Compares a word without short vowels with a possible reading of it. */
function compareReading(written: NameToken, latin: NameToken): TokenMatch | null {
  if (written.fold === latin.fold && written.fold.length > 1) return phonetic;
  if (written.own && (latin.own || latin.spellings)) return null;
  if (consonantCount(written.text) === 0) return null;
  const similarity =
    READING - (READING_SLOPE * transliterationDistance(written.text, latin.text)) / written.text.length;
  return similarity >= 0.7 ? { similarity, how: 'CONSONANTS' } : null;
}

/** Returns the consonants of a token, merged where the script does not distinguish them, to compare across scripts. */
export function consonantsOf(token: NameToken, script: 'CONSONANTS' | 'SYLLABLES'): string {
  const skeleton = script === 'CONSONANTS' ? token.consonants : token.skeleton;
  const asOne = script === 'CONSONANTS' ? consonantsAsOne : syllablesAsOne;
  let out = '';
  let last = '';
  for (let i = 0; i < skeleton.length; i += 1) {
    const consonant = skeleton.charAt(i);
    const sound = asOne[consonant] ?? consonant;
    if (sound === last || sound === '') continue;
    out += sound;
    last = sound;
  }
  return out;
}

const consonantsAsOne: Readonly<Record<string, string>> = table({ v: '', p: 'b' });
const syllablesAsOne: Readonly<Record<string, string>> = table({ v: '', p: 'b', r: 'l', g: 'k', d: 't' });

function isReverse(a: string, b: string): boolean {
  const last = b.length - 1;
  for (let i = 0; i <= last; i += 1) if (a.charCodeAt(i) !== b.charCodeAt(last - i)) return false;
  return true;
}

/** Returns the highest edit cost at which words of this length may still be spellings of one name. */
function maxEditCost(length: number): number {
  if (length <= 3) return 0.9;
  if (length <= 4) return 1.05;
  if (length <= 6) return 1.5;
  if (length <= 9) return 2.3;
  return length <= 12 ? 2.8 : 3.5;
}

/** Returns 1 minus the weighted edits per letter. 0 if the edits cost more than a typo, or more than `least` allows. */
function spellingSimilarity(a: string, b: string, ofA: number, ofB: number, least: number): number {
  const longest = Math.max(a.length, b.length);
  const most = Math.min(maxEditCost(longest), ((1 - least) * longest) / SLOPE + ROUNDING);
  if (Math.abs(a.length - b.length) > 3) return 0;
  // A letter that only one word has costs an edit, and one edit removes at most one such letter from each word.
  if (costOfLetters(ofA & ~ofB) > most || costOfLetters(ofB & ~ofA) > most) return 0;
  const cost = editCost(a, b, most);
  return cost > most ? 0 : 1 - (SLOPE * cost) / longest;
}

const costOfLetters = (letters: number): number =>
  letters === 0
    ? 0
    : bitCount(letters) * VOWEL_EDIT - (letters & H_BIT ? VOWEL_EDIT - SILENT_H : 0) - ROUNDING;

// One typo leaves a five-letter word 0.85 similar, so that a name of two words stays above that.
const SLOPE = 0.75;
const ROUNDING = 1e-9;

const A = 97;
const isVowel = new Uint8Array(128);
for (const vowel of 'aeiouy') isVowel[vowel.charCodeAt(0)] = 1;
// Consonants that are mistaken for each other, by sound or by key.
const near = new Uint8Array(128 * 128);
for (const pair of 'bp bv dt gk gj jy kc kq cs sz sx cz mn vw vf lr uv uw fp iy ij hx'.split(' ')) {
  const one = pair.charCodeAt(0);
  const other = pair.charCodeAt(1);
  near[one * 128 + other] = 1;
  near[other * 128 + one] = 1;
}

const VOWEL_EDIT = 0.7;
const DOUBLED = 0.35;
const SILENT_H = 0.45;
const NEAR = 0.7;
const SWAPPED = 0.8;
// Cost of a letter that changes the gender: Fernando and Fernanda are two people. So are Ivanov and Ivanova to people
// who do not know the rule.
const GENDER = 1.5;
const FIRST_LETTER = 0.2;
const H = 104;
const H_BIT = 1 << (H & 31);

const width = 64;
let before = new Float64Array(width);
let previous = new Float64Array(width);
let current = new Float64Array(width);
// The cheapest gap bounds how far from the diagonal a path within the limit may go.
const CHEAPEST_GAP = DOUBLED;

/**
 * Computes the cost of the weighted optimal string alignment. Returns more than `most` once the cost must exceed it.
 */
export function editCost(a: string, b: string, most: number): number {
  const n = a.length;
  const m = b.length;
  if (n >= width || m >= width) return a === b ? 0 : most + 1;
  // The common beginning and end cost nothing, but the cost of a doubled letter depends on the letter before it.
  let from = 0;
  while (from < n && from < m && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  if (from === n && from === m) return 0;
  from = Math.max(0, from - 1);
  let tail = 0;
  while (
    tail < n - from - 1 &&
    tail < m - from - 1 &&
    a.charCodeAt(n - 1 - tail) === b.charCodeAt(m - 1 - tail)
  ) {
    tail += 1;
  }
  tail = Math.max(0, tail - 1);
  const rows = n - from - tail;
  const columns = m - from - tail;
  const reach = Math.floor(most / CHEAPEST_GAP) + 1;
  previous[0] = 0;
  for (let j = 1; j <= columns; j += 1) previous[j] = previous[j - 1]! + gapCost(b, from + j - 1);
  for (let i = 1; i <= rows; i += 1) {
    const ca = a.charCodeAt(from + i - 1);
    const deletion = gapCost(a, from + i - 1);
    current[0] = previous[0]! + deletion;
    let least = current[0];
    const first = Math.max(1, i - reach);
    const last = Math.min(columns, i + reach);
    if (first > 1) current[first - 1] = Infinity;
    if (last < columns) current[last + 1] = Infinity;
    for (let j = first; j <= last; j += 1) {
      const cb = b.charCodeAt(from + j - 1);
      let cost = previous[j - 1]!;
      if (ca !== cb) {
        cost += swapCost(ca, cb, from + i === n && from + j === m, from + i === 1 && from + j === 1);
      }
      const deleted = previous[j]! + deletion;
      if (deleted < cost) cost = deleted;
      const insertionCost = current[j - 1]! + gapCost(b, from + j - 1);
      if (insertionCost < cost) cost = insertionCost;
      if (
        i > 1 &&
        j > 1 &&
        ca !== cb &&
        ca === b.charCodeAt(from + j - 2) &&
        a.charCodeAt(from + i - 2) === cb
      ) {
        const turned = before[j - 2]! + SWAPPED;
        if (turned < cost) cost = turned;
      }
      current[j] = cost;
      if (cost < least) least = cost;
    }
    // A transposition continues from two rows back, whose cost may be below `least`, but it adds at least SWAPPED.
    if (least > most + SWAPPED) return most + 1;
    const spare = before;
    before = previous;
    previous = current;
    current = spare;
  }
  return previous[columns]!;
}

function gapCost(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === text.charCodeAt(at - 1)) return DOUBLED;
  if (c === H) return SILENT_H;
  // Daniel and Daniela, Ivanov and Ivanova.
  if (c === A && at === text.length - 1 && at > 3 && isVowel[text.charCodeAt(at - 1)] === 0) return GENDER;
  return (isVowel[c] === 1 ? VOWEL_EDIT : 1) + (at === 0 ? FIRST_LETTER : 0);
}

function swapCost(a: number, b: number, atTheEnd: boolean, atTheStart: boolean): number {
  if (isVowel[a] === 1 && isVowel[b] === 1) {
    const gender = atTheEnd && (a === A || b === A) && (a === A + 14 || b === A + 14);
    return gender ? GENDER : VOWEL_EDIT;
  }
  return (near[a * 128 + b] === 1 ? NEAR : 1) + (atTheStart ? FIRST_LETTER : 0);
}

/** Returns a `compareTokens` that caches each pair: the candidates of one question share most of their tokens. */
export function memoizedComparison(): typeof compareTokens {
  const comparisonsByToken = new Map<NameToken, Map<NameToken, TokenMatch | null>>();
  return (a, b) => {
    let comparisons = comparisonsByToken.get(a);
    if (!comparisons) comparisonsByToken.set(a, (comparisons = new Map<NameToken, TokenMatch | null>()));
    let match = comparisons.get(b);
    if (match === undefined) comparisons.set(b, (match = compareTokens(a, b)));
    return match;
  };
}
