import { foldKey, skeletonOf } from './words/phonetic.js';
import { chineseKey, koreanKey } from './words/romanisation.js';
import { HAN_KEY } from './words/han.js';
import { lettersOf } from './words/letters.js';
import { isNameInUse } from './words/names-in-use.js';
import { arabicNames, commonTokens, frequentNames, nicknames, spellings } from './words/vocabulary.js';

export type TokenRole =
  'NAME' | 'INITIAL' | 'GENERIC' | 'NUMBER' | 'PARTICLE' | 'TITLE' | 'SUFFIX' | 'LEGAL_FORM';

/** How much of the sound the original script writes: Arabic and Hebrew omit vowels, Han and Kana confuse l and r. */
export type TokenScript = 'FULL' | 'CONSONANTS' | 'SYLLABLES' | 'HAN' | 'HANGUL';

/** One word of a name, with everything that a comparison needs; immutable and shared between names. */
export interface NameToken {
  /** Lower-case ASCII; for suffixes, legal forms and numbers the class or the digits. */
  readonly text: string;
  readonly role: TokenRole;
  readonly script: TokenScript;
  /** The token's part in a score, 0 to 1. */
  readonly weight: number;
  readonly fold: string;
  /** The letters of the text and of the fold, as bits. */
  readonly letters: number;
  readonly foldLetters: number;
  /** True if very many people bear the word. */
  readonly common: boolean;
  /** True for a name in use, which is not taken for a typo of another name in use. */
  readonly own: boolean;
  readonly skeleton: string;
  /** The consonants, with every spoken h: without it, Ahmad, Hamid and Mahdi would be one name. */
  readonly consonants: string;
  readonly spellings: readonly number[] | undefined;
  readonly nicknames: readonly number[] | undefined;
  /** The key of the word as Chinese or Korean syllables, the same in every romanisation; null for other words. */
  readonly chinese: string | null;
  readonly korean: string | null;
  /** The Chinese character itself; the empty text for all other words. */
  readonly character: string;
  /** True for common names, and for names that are frequent in their region. */
  readonly frequent: boolean;
}

const codes = {
  N: ['NAME', 'FULL'],
  A: ['NAME', 'CONSONANTS'],
  H: ['NAME', 'SYLLABLES'],
  C: ['NAME', 'HAN'],
  // Several syllables joined into one word, whose characters are unknown.
  J: ['NAME', 'HAN'],
  K: ['NAME', 'HANGUL'],
  I: ['INITIAL', 'FULL'],
  // The beginning of a word, with a full stop behind it.
  B: ['INITIAL', 'FULL'],
  G: ['GENERIC', 'FULL'],
  D: ['NUMBER', 'FULL'],
  P: ['PARTICLE', 'FULL'],
  T: ['TITLE', 'FULL'],
  S: ['SUFFIX', 'FULL'],
  L: ['LEGAL_FORM', 'FULL'],
} as const satisfies Record<string, readonly [TokenRole, TokenScript]>;

export type TokenCode = keyof typeof codes;

// Weights by length: a two-letter token is shared by far more people than one of six.
const weightByLength = [0, 0.35, 0.65, 0.8, 0.92];
const weightByRole: Readonly<Partial<Record<TokenRole, number>>> = {
  INITIAL: 0.3,
  GENERIC: 0.45,
  NUMBER: 0.6,
  PARTICLE: 0.1,
  TITLE: 0.08,
  SUFFIX: 0.4,
  LEGAL_FORM: 0.15,
};
const COMMON = 0.88;
// Three letters and more of a word say more than its initial.
const WEIGHT_OF_BEGINNING = 0.6;

/** True for a Chinese character or a Korean syllable in its own script. */
export const isSyllable = ({ script }: NameToken): boolean => script === 'HAN' || script === 'HANGUL';

/** Returns the key of a token: its code and its text determine everything else. */
export const tokenKey = (code: TokenCode, text: string): string => code + text;

/** Adds a vowel after each consonant, so that two consonants are not read as one sound. */
const addVowels = (text: string): string => text.replace(/./g, '$&a');

// In kh, sh, th and at the end, h is not a sound of its own. The digit marks a spoken h: `foldKey` drops the letter.
const SPOKEN_H = /(?<![ckgpstdzw])h(?!$)/g;
const SPOKEN = '8';

function consonantsIn(text: string, script: TokenScript): string {
  const marked = text.replace(SPOKEN_H, SPOKEN);
  return skeletonOf(foldKey(script === 'CONSONANTS' ? addVowels(marked.replace(/h/g, '')) : marked));
}

export const tokenOf = (key: string): NameToken => new Token(key);

/** Computes rarely needed keys on first use. */
class Token implements NameToken {
  readonly text: string;
  readonly role: TokenRole;
  readonly script: TokenScript;
  readonly weight: number;
  readonly fold: string;
  readonly letters: number;
  readonly foldLetters: number;
  readonly common: boolean;
  readonly frequent: boolean;
  readonly own: boolean;
  readonly spellings: readonly number[] | undefined;
  readonly nicknames: readonly number[] | undefined;
  readonly character: string;
  private lazySkeleton: string | undefined;
  private lazyConsonants: string | undefined;
  private lazyChinese: string | null | undefined;
  private lazyKorean: string | null | undefined;

  constructor(key: string) {
    const [role, script] = codes[key.charAt(0) as TokenCode];
    // In the key of a Chinese character, `hanKey` follows the sound.
    const end = key.startsWith('C') ? key.length - HAN_KEY : key.length;
    const text = key.slice(1, end);
    const knownName = script === 'CONSONANTS' ? (arabicNames.get(text) ?? '') : text;
    this.text = text;
    this.role = role;
    this.script = script;
    this.common = commonTokens.has(knownName);
    this.weight =
      (key.startsWith('B') ? WEIGHT_OF_BEGINNING : weightByRole[role]) ??
      (weightByLength[text.length] ?? 1) * (this.common ? COMMON : 1);
    this.fold = role === 'NAME' || role === 'GENERIC' ? foldKey(knownName) : text;
    this.letters = lettersOf(text);
    this.foldLetters = lettersOf(this.fold);
    this.frequent = this.common || frequentNames.has(knownName);
    this.own =
      role === 'NAME' &&
      (script === 'CONSONANTS' ? knownName !== '' : script === 'FULL' && isNameInUse(text));
    this.spellings = spellings.get(knownName);
    this.nicknames = nicknames.get(text);
    this.character = key.slice(end);
  }

  get skeleton(): string {
    return (this.lazySkeleton ??=
      this.role !== 'NAME'
        ? ''
        : skeletonOf(this.script === 'CONSONANTS' ? foldKey(addVowels(this.text)) : this.fold));
  }

  get consonants(): string {
    // Nearly all words have no h, and then the skeleton is the same.
    return (this.lazyConsonants ??=
      this.role === 'NAME' && (this.script === 'CONSONANTS' || this.text.includes('h'))
        ? consonantsIn(this.text, this.script)
        : this.skeleton);
  }

  get chinese(): string | null {
    if (this.lazyChinese === undefined) {
      const may = this.role === 'NAME' && (this.script === 'FULL' || this.script === 'HAN');
      this.lazyChinese = may ? chineseKey(this.text) : null;
    }
    return this.lazyChinese;
  }

  get korean(): string | null {
    if (this.lazyKorean === undefined) {
      const may = this.role === 'NAME' && (this.script === 'FULL' || this.script === 'HANGUL');
      this.lazyKorean = may ? koreanKey(this.text) : null;
    }
    return this.lazyKorean;
  }
}

/** Caches one token per key. A full cache is cleared as a whole. */
export class TokenCache {
  private readonly tokens = new Map<string, NameToken>();

  constructor(private readonly most = 50_000) {}

  of(key: string): NameToken {
    const found = this.tokens.get(key);
    if (found) return found;
    const token = tokenOf(key);
    if (this.tokens.size >= this.most) this.tokens.clear();
    this.tokens.set(key, token);
    return token;
  }
}

export const writtenTokens = new TokenCache();
