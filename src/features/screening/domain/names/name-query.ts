import { isRealName } from '../../../../platform/kernel/values/canonical/missing-name.js';
import { lettersOf } from './words/letters.js';
import { tokenOf, type NameToken, type TokenCode } from './name-token.js';
import type { NameKind } from './normalise.js';
import { consonantHash, deleteHashes, romanHash, soundHash } from '../search/packed-index.js';
import { tokensOf } from './pair-scorer.js';
import { HAN_KEY } from './words/han.js';
import { isFillerWord } from './words/fillers.js';
import { foldKey } from './words/phonetic.js';
import { chineseKey, koreanKey } from './words/romanisation.js';
import { consonantsOf } from './token-similarity.js';
import {
  arabicNames,
  commonTokens,
  frequentNames,
  otherSpellings,
  particles,
  titles,
} from './words/vocabulary.js';

/** A text with the keys that find similar tokens, computed once for all lists. */
export interface QueryToken {
  readonly text: string;
  /** Null for joined words: `tokenOfQuery` creates the token only if something is found. */
  readonly token: NameToken | null;
  readonly code: TokenCode;
  /** The letters as bits, and by how many letters a token may be longer or shorter. */
  readonly letters: number;
  readonly slack: number;
  /** Texts that are looked up as they are, such as other spellings, and the token codes for that look-up. */
  readonly exact: readonly string[];
  readonly codes: readonly TokenCode[];
  readonly sounds: readonly number[];
  readonly slips: readonly number[];
}

export interface QueryWord extends QueryToken {
  readonly token: NameToken;
  /** The ways to split the word in two, in case a space was lost. Particles and titles are left out. */
  readonly splits: readonly (readonly string[])[];
  /** The token code of the halves. */
  readonly splitCode: TokenCode;
}

export interface NameQuery {
  readonly kind: NameKind;
  readonly tokens: readonly NameToken[];
  /** The sum of the weights of its words. */
  readonly weight: number;
  readonly words: readonly QueryWord[];
  /** Adjacent words joined into one. */
  readonly joins: readonly QueryToken[];
}

const NAME_CODES: readonly TokenCode[] = ['N', 'G', 'H', 'A', 'C', 'K'];
const NUMBER_CODES: readonly TokenCode[] = ['D'];
const ONE_DELETED = 1;
const MAX_JOIN_LENGTH = 3;
const MIN_JOIN_LENGTH = 4;
const SPLIT_FROM = 4;
const MIN_PART_LENGTH = 2;
const WORDS_KEPT = 20_000;
const SLACK = 4;
const SLACK_OF_JOINS = 3;
const SLACK_OF_SYLLABLES = 5;
const codeOfJoin = (token: NameToken): TokenCode => (token.script === 'HAN' ? 'J' : codeOf(token));

/** Prepares a name for the search. */
export function parseNameQuery(raw: string, kind: NameKind): NameQuery {
  const tokens = tokensOf(raw, kind);
  const searched = tokens.filter(isSearched);
  // Words of a payment or a trade and the number of an account find nobody.
  const telling = searched.filter(tellsName);
  const words = (telling.length === 0 ? searched : telling).map(queryWord);
  return {
    kind,
    tokens,
    weight: words.reduce((sum, { token }) => sum + token.weight, 0),
    words,
    joins: words.length === 0 ? [] : joinsOf(tokens),
  };
}

// Numbers with more digits are those of documents and accounts; shorter ones tell shops and funds apart.
const MAX_DIGITS = 3;

const tellsName = ({ role, text }: NameToken): boolean =>
  role === 'NUMBER' ? text.length <= MAX_DIGITS : role === 'GENERIC' || !isFillerWord(text);

/** Returns the words to look up for a name, as written and as they sound. */
export const searchWords = (raw: string): readonly Pick<NameToken, 'text' | 'fold'>[] =>
  tokensOf(raw, 'UNKNOWN').filter(isSearched);

/** True for a name with a word to compare. Without one, an empty result means nothing. */
export const isComparable = (raw: string, kind: NameKind): boolean =>
  isRealName(raw) && tokensOf(raw, kind).some(isSearched);

/** True for roles that find candidates. Tokens of the other roles only affect the score. */
export const isSearched = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'GENERIC' || role === 'NUMBER';

export const tokenOfQuery = ({ token, text, code }: QueryToken): NameToken => token ?? tokenOf(code + text);

// The same words occur in very many names, so they are cached.
let queryWords = new Map<NameToken, QueryWord>();

export function queryWord(token: NameToken): QueryWord {
  const found = queryWords.get(token);
  if (found) return found;
  const { text, role } = token;
  const isNumber = role === 'NUMBER';
  const slips: number[] = [];
  if (!isNumber) deleteHashes(text, slips);
  const name = token.script === 'CONSONANTS' ? (arabicNames.get(text) ?? text) : text;
  const texts = [text, ...(name === text ? [] : [name]), ...(otherSpellings.get(name) ?? [])];
  if (!isNumber && text.length > 4) texts.push(reverseText(text));
  const word = {
    text,
    token,
    code: codeOf(token),
    letters: lettersOf(text),
    slack: token.chinese === null ? SLACK : SLACK + HAN_KEY,
    exact: texts,
    codes: isNumber ? NUMBER_CODES : NAME_CODES,
    sounds: isNumber ? [] : soundsOf(token),
    slips,
    splits: role === 'NAME' ? splitsOf(token) : [],
    splitCode: codeOf(token),
  };
  if (queryWords.size >= WORDS_KEPT) queryWords = new Map();
  queryWords.set(token, word);
  return word;
}

/**
 * Prepares the lookup of two words joined. Almost none of these texts occurs in a list, so this must cost no more than
 * the lookup.
 */
function prepareJoin(text: string, code: TokenCode): QueryToken {
  const slips: number[] = [];
  deleteHashes(text, slips, ONE_DELETED);
  return {
    text,
    token: null,
    code,
    letters: lettersOf(text),
    slack: code === 'K' || code === 'J' ? SLACK_OF_SYLLABLES : SLACK_OF_JOINS,
    exact: [text],
    codes: NAME_CODES,
    sounds: [
      soundHash(foldKey(text)),
      ...(code === 'J' || code === 'K'
        ? romanHashes(
            {
              chinese: code === 'J' ? chineseKey(text) : null,
              korean: code === 'K' ? koreanKey(text) : null,
            },
            false,
          )
        : []),
    ],
    slips,
  };
}

function soundsOf(token: NameToken): number[] {
  const hashes = [soundHash(token.fold), ...romanHashes(token, token.script === 'FULL')];
  for (const script of ['CONSONANTS', 'SYLLABLES'] as const) {
    if (token.script !== 'FULL' && token.script !== script) continue;
    const consonants = consonantsOf(token, script);
    if (consonants === '') continue;
    hashes.push(consonantHash(consonants, script, false));
    if (token.script !== 'FULL') hashes.push(consonantHash(consonants, script, true));
  }
  return hashes;
}

function romanHashes({ chinese, korean }: Pick<NameToken, 'chinese' | 'korean'>, latin: boolean): number[] {
  const hashes: number[] = [];
  if (chinese !== null) {
    hashes.push(romanHash(chinese, 'chinese', true));
    if (latin) hashes.push(romanHash(chinese, 'chinese', false));
  }
  // Two Korean names in Latin letters are compared as written.
  if (korean !== null) hashes.push(romanHash(korean, 'korean', !latin));
  return hashes;
}

function joinsOf(tokens: readonly NameToken[]): QueryToken[] {
  const joins: QueryToken[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let text = '';
    for (let i = from; i < Math.min(tokens.length, from + MAX_JOIN_LENGTH); i += 1) {
      const token = tokens[i];
      if (!token || !(isSearched(token) || isGlue(token))) break;
      text += token.text;
      if (i > from && text.length >= MIN_JOIN_LENGTH) joins.push(prepareJoin(text, codeOfJoin(token)));
    }
  }
  return joins;
}

/** True for a token that hardly counts as a word, and so may be half of a word: `Khi Dr` for Khidr. */
const isGlue = ({ role }: NameToken): boolean =>
  role === 'PARTICLE' || role === 'INITIAL' || role === 'TITLE';

/**
 * Returns the ways to split a word in two. A well-known name is split into well-known names only. How often a list has
 * the word does not matter, because others add to the list.
 */
function splitsOf({ text, frequent }: NameToken): (readonly string[])[] {
  if (text.length < SPLIT_FROM) return [];
  const splits: (readonly string[])[] = [];
  for (let at = MIN_PART_LENGTH; at <= text.length - MIN_PART_LENGTH; at += 1) {
    const parts = [text.slice(0, at), text.slice(at)].filter(
      (part) => !particles.has(part) && !titles.has(part),
    );
    if (parts.length > 0 && (!frequent || parts.every(isWellKnown))) splits.push(parts);
  }
  return splits;
}

const isWellKnown = (text: string): boolean => frequentNames.has(text) || commonTokens.has(text);

const codeByScript = { FULL: 'N', CONSONANTS: 'A', SYLLABLES: 'H', HAN: 'C', HANGUL: 'K' } as const;
const codeOf = ({ script }: NameToken): TokenCode => codeByScript[script];

function reverseText(text: string): string {
  let out = '';
  for (let i = text.length - 1; i >= 0; i -= 1) out += text.charAt(i);
  return out;
}
