import type { NameToken } from './name-token.js';
import { consonantsOf, type TokenLikeness } from './token-similarity.js';
import { isOneSyllable } from './words/romanisation.js';

/** Words of two names that were paired. */
export interface MatchedWords {
  readonly left: readonly NameToken[];
  readonly right: readonly NameToken[];
  readonly how: TokenLikeness;
  readonly similarity: number;
}

// Maximum number of bits for several words that are one word in the other name.
const MAX_JOINED_BITS = 15;
const BITS_OF_CONSONANT = 2.7;
const BITS_OF_INITIAL = 3;
// Bits that a lack of similarity costs: a six-letter word with one typo (0.87) may mean any of thirty words.
const BITS_PER_LIKENESS = 25;
const MAX_CROSS_SCRIPT_SIMILARITY = 0.95;

/**
 * Returns the evidence of agreeing words, in bits: the binary logarithm of how many people must be compared until one
 * agrees as well by chance. `among` is the number of words in the longer name: a longer name offers more chances to
 * agree, even more if the agreeing words are not adjacent.
 */
export function evidenceBitsOf(agreed: readonly MatchedWords[], among: number, inOnePiece: boolean): number {
  let bits = 0;
  let words = 0;
  for (const one of agreed) {
    bits += Math.max(0, bitsOfPair(one));
    words += Math.max(one.left.length, one.right.length);
  }
  const most = Math.max(among, words);
  return bits - Math.log2(inOnePiece ? most - words + 1 : countChoices(most, words));
}

function bitsOfPair({ left, right, how, similarity }: MatchedWords): number {
  if (how === 'INITIAL' || how === 'INITIALS' || how === 'ACRONYM') {
    const letters = Math.min(...[...left, ...right].map(({ text }) => text.length));
    if (how === 'INITIAL' && letters > 1) return Math.min(bitsOfWords(left), bitsOfWords(right));
    return BITS_OF_INITIAL * Math.max(left.length, right.length);
  }
  const sounds = how === 'EXACT' ? 0 : bitsOfSyllables(left) + bitsOfSyllables(right);
  let bits = sounds > 0 ? sounds : Math.min(bitsOfWords(left), bitsOfWords(right));
  if (how === 'CONSONANTS') bits = Math.min(bits, bitsOfConsonants(left), bitsOfConsonants(right));
  const most = sounds > 0 || how === 'CONSONANTS' || how === 'ROMANISATION' ? MAX_CROSS_SCRIPT_SIMILARITY : 1;
  return bits - BITS_PER_LIKENESS * Math.max(0, most - similarity);
}

// A Chinese or Korean syllable agrees with a word in Latin letters by its sound only.
const BITS_OF_SOUND = 4.8;
const BITS_OF_KOREAN_SOUND = 3.9;
const BITS_OF_RARE_KOREAN_SOUND = 4.8;
// Syllables of the frequent families and of most first names, in the letters of `any-ascii`.
const FREQUENT_KOREAN: ReadonlySet<string> = new Set(
  (
    'gim i bak choe jeong gang jo yun jang im rim han o seo sin gwon hwang an song hong ' +
    'yeong cheol su jin hyeon min seong ho jun hui gyeong suk yong il nam dong seok gil sun won hyeok tae gwang mi'
  ).split(' '),
);

function bitsOfSyllables(tokens: readonly NameToken[]): number {
  let bits = 0;
  for (const { script, text } of tokens) {
    if (script === 'HAN') bits += BITS_OF_SOUND;
    if (script === 'HANGUL') {
      bits += FREQUENT_KOREAN.has(text) ? BITS_OF_KOREAN_SOUND : BITS_OF_RARE_KOREAN_SOUND;
    }
  }
  return bits;
}

function bitsOfConsonants(tokens: readonly NameToken[]): number {
  let letters = 0;
  for (const token of tokens) letters += consonantsOf(token, 'CONSONANTS').length;
  return BITS_OF_CONSONANT * letters;
}

function bitsOfWords(tokens: readonly NameToken[]): number {
  let sum = 0;
  for (const token of tokens) sum += bitsOf(token);
  return Math.min(sum, MAX_JOINED_BITS);
}

// Bits by length of the word: the longer a word, the more words of its length there are.
const BITS_BY_LENGTH = [0, 3, 6, 8, 10, 11.5, 12.5, 13.5];
const BITS_OF_LONG = 14;
const BITS_OF_GENERIC = 4;
const BITS_OF_PARTICLE = 1;
// Bits of words that many people bear: the binary logarithm of the number of people per bearer of such a word (32, 16
// in Arabic script, 128, 23 and 90).
const BITS_OF_COMMON = 5;
const BITS_OF_COMMON_IN_ARABIC = 4;
const BITS_OF_FREQUENT = 7;
const BITS_OF_SYLLABLE = 4.5;
const BITS_OF_CHARACTER = 6.5;
const LONG_SYLLABLE = 5;

const bitsByToken = new WeakMap<NameToken, number>();

/** Returns the bits that a shared word is worth. */
function bitsOf(token: NameToken): number {
  let bits = bitsByToken.get(token);
  if (bits === undefined) bitsByToken.set(token, (bits = countBits(token)));
  return bits;
}

function countBits({ text, role, script, common, frequent, consonants }: NameToken): number {
  if (role === 'GENERIC') return BITS_OF_GENERIC;
  if (role === 'PARTICLE' || role === 'TITLE') return BITS_OF_PARTICLE;
  const byLength = BITS_BY_LENGTH[text.length] ?? BITS_OF_LONG;
  if (common) return script === 'CONSONANTS' ? BITS_OF_COMMON_IN_ARABIC : Math.min(byLength, BITS_OF_COMMON);
  if (script === 'HAN') return BITS_OF_CHARACTER;
  if (script === 'HANGUL') return BITS_OF_SYLLABLE;
  if (script === 'FULL' && isOneSyllable(text)) {
    return Math.min(byLength, text.length < LONG_SYLLABLE ? BITS_OF_SYLLABLE : BITS_OF_SYLLABLE + 1);
  }
  if (frequent) return Math.min(byLength, BITS_OF_FREQUENT);
  return script === 'CONSONANTS' ? Math.min(byLength, BITS_OF_CONSONANT * consonants.length) : byLength;
}

function countChoices(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= k; i += 1) count = (count * (n - k + i)) / i;
  return count;
}

// Bits that single out one person in three thousand, as two rare names do; and the score per bit.
const ENOUGH_BITS = 11.75;
const SCORE_PER_BIT = 0.02;

/**
 * Returns the highest score that the evidence allows. `ENOUGH_BITS` bits allow 0.85, from which a person must decide.
 */
export const scoreLimitOf = (bits: number): number => 0.85 + SCORE_PER_BIT * (bits - ENOUGH_BITS);
