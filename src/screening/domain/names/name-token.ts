import { foldKey, skeletonOf } from './phonetic.js';
import { lettersOf } from './letters.js';
import { commonTokens, nicknames, ownNames, spellings } from './vocabulary.js';

/** The role of a token in its name. */
export type TokenRole =
  'NAME' | 'INITIAL' | 'GENERIC' | 'NUMBER' | 'PARTICLE' | 'TITLE' | 'SUFFIX' | 'LEGAL_FORM';

/** How much of the sound the original script wrote down: Arabic and Hebrew leave out vowels, Han and Kana shift l and r. */
export type TokenScript = 'FULL' | 'CONSONANTS' | 'SYLLABLES';

/** One word of a name, with everything that a comparison needs; immutable and shared between names. */
export interface NameToken {
  /** Lower-case ASCII; for suffixes, legal forms and numbers the class or the digits. */
  readonly text: string;
  readonly role: TokenRole;
  readonly script: TokenScript;
  /** Its part in a score, 0 to 1. */
  readonly weight: number;
  readonly fold: string;
  /** The letters of the text and of the fold, as bits. */
  readonly letters: number;
  readonly foldLetters: number;
  /** Very many people bear it. */
  readonly common: boolean;
  /** A frequent name of its own: not a slip of another such. */
  readonly own: boolean;
  readonly skeleton: string;
  readonly spellings: readonly number[] | undefined;
  readonly nicknames: readonly number[] | undefined;
}

const codes = {
  N: ['NAME', 'FULL'],
  A: ['NAME', 'CONSONANTS'],
  H: ['NAME', 'SYLLABLES'],
  I: ['INITIAL', 'FULL'],
  G: ['GENERIC', 'FULL'],
  D: ['NUMBER', 'FULL'],
  P: ['PARTICLE', 'FULL'],
  T: ['TITLE', 'FULL'],
  S: ['SUFFIX', 'FULL'],
  L: ['LEGAL_FORM', 'FULL'],
} as const satisfies Record<string, readonly [TokenRole, TokenScript]>;

export type TokenCode = keyof typeof codes;

// By length: a two-letter token is shared by far more people than one of six.
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

/** The key of a token: its code and its text say everything about it. */
export const tokenKey = (code: TokenCode, text: string): string => code + text;

/** Consonants with a vowel after each, so that none is taken for a cluster. */
const voiced = (text: string): string => text.replace(/./g, '$&a');

/** Makes the token of a key. */
export function tokenOf(key: string): NameToken {
  const code = codes[key.charAt(0) as TokenCode];
  const text = key.slice(1);
  const [role, script] = code;
  const fold = role === 'NAME' || role === 'GENERIC' ? foldKey(text) : text;
  const common = commonTokens.has(text);
  const byLength = (weightByLength[text.length] ?? 1) * (common ? COMMON : 1);
  return {
    text,
    role,
    script,
    weight: weightByRole[role] ?? byLength,
    fold,
    letters: lettersOf(text),
    foldLetters: lettersOf(fold),
    common,
    own: role === 'NAME' && script === 'FULL' && ownNames.has(text),
    skeleton: role !== 'NAME' ? '' : skeletonOf(script === 'CONSONANTS' ? foldKey(voiced(text)) : fold),
    spellings: spellings.get(text),
    nicknames: nicknames.get(text),
  };
}

/** Tokens by key, made once; forgotten all together when there are too many. */
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
