import { isSyllable, type NameToken } from './name-token.js';
import { isFillerWord } from './words/fillers.js';
import { familyNames } from './words/names-in-use.js';
import { skeletonOf } from './words/phonetic.js';
import { compassPoint } from './words/series.js';

/** These words join the names of a joint account. */
const CONJUNCTIONS: ReadonlySet<string> = new Set(['e', 'y', 'and', 'und', 'et', 'ou', 'or']);

const isConjunction = ({ text, role }: NameToken): boolean =>
  (role === 'PARTICLE' || role === 'NAME') && CONJUNCTIONS.has(text);

const isWord = ({ role }: NameToken): boolean => role === 'NAME' || role === 'INITIAL';

/** Splits a joint name; a single name is returned whole. `Silva e Souza` is single: each half needs two words. */
export function splitJointName(tokens: readonly NameToken[]): readonly (readonly NameToken[])[] {
  if (!tokens.some(isConjunction)) return [tokens];
  const parts: NameToken[][] = [[]];
  for (const token of tokens) {
    if (isConjunction(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.every((part) => part.filter(isWord).length >= 2) ? parts : [tokens];
}

// Legal forms that end the name of a company. Others, such as Company, are also in its middle.
const ENDS_A_NAME: ReadonlySet<string> = new Set([
  ...['ltd', 'llc', 'gmbh', 'srl', 'spa', 'sa', 'sas', 'plc', 'jsc', 'ag', 'me', 'simples'],
]);
const TRADING_AS: ReadonlySet<string> = new Set(['nome', 'fantasia', 'ta', 'dba', 'trading', 'as']);

/** Splits the legal name of a company from the trade name behind it; a name without one is returned whole. */
export function splitTradeName(tokens: readonly NameToken[]): readonly (readonly NameToken[])[] {
  const form = tokens.findIndex(({ role, text }) => role === 'LEGAL_FORM' && ENDS_A_NAME.has(text));
  if (form < 1) return [tokens];
  const legal = tokens.slice(0, form + 1);
  let from = form + 1;
  const isBetween = ({ role, text }: NameToken): boolean => role === 'LEGAL_FORM' || TRADING_AS.has(text);
  for (const token of tokens.slice(from)) {
    if (!isBetween(token)) break;
    from += 1;
  }
  const trade = tokens.slice(from);
  return legal.some(isWord) && trade.some(isWord) && trade.filter(isOfName).length >= 2
    ? [legal, trade]
    : [tokens];
}

const isOfName = ({ role }: NameToken): boolean => role === 'NAME' || role === 'GENERIC';

const MAX_OF_SERIES = 3;

/**
 * True if both names have a number, or a point of the compass, that the other lacks: two funds, shops or companies of
 * one series.
 */
export function areOfOneSeries(left: readonly NameToken[], right: readonly NameToken[]): boolean {
  return differ(left.map(numberOf), right.map(numberOf)) || differ(left.map(compassOf), right.map(compassOf));
}

// Longer numbers are those of documents and accounts.
const numberOf = ({ role, text }: NameToken): string | undefined =>
  role === 'NUMBER' && text.length <= MAX_OF_SERIES ? text : undefined;
const compassOf = ({ role, text }: NameToken): string | undefined =>
  role === 'NAME' ? compassPoint(text) : undefined;

function differ(ones: readonly (string | undefined)[], others: readonly (string | undefined)[]): boolean {
  return (
    ones.some((one) => one !== undefined && !others.includes(one)) &&
    others.some((other) => other !== undefined && !ones.includes(other))
  );
}

const MIN_WORD_LENGTH = 5;
const MIN_CONSONANTS = 3;
const FINAL_NASAL = /n$/;

/**
 * True if two words have the same consonants in the same places and differ in vowels, as one Arabic word does in the
 * spellings of several languages. A nasal at the end may be left out: Taliba and Taleban.
 */
export function differInVowels(one: NameToken, other: NameToken): boolean {
  if (one.role !== 'NAME' || other.role !== 'NAME') return false;
  if (Math.min(one.text.length, other.text.length) < MIN_WORD_LENGTH) return false;
  const [a, b] = [one, other].map(({ fold }) => skeletonOf(fold).replace(FINAL_NASAL, ''));
  return a !== undefined && a.length >= MIN_CONSONANTS && a === b;
}

/** Words that were paired, by their positions in both names. */
export interface PairedWords {
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
  readonly similarity: number;
  readonly weight: number;
}

// The score of a name that a longer text contains whole: the rest of the text is weak evidence against it.
const CONTAINED = 0.9;
const LIKENESS_OF_EACH = 0.84;

const BESIDE_WORDS: ReadonlySet<string> = new Set(['PARTICLE', 'TITLE', 'SUFFIX', 'LEGAL_FORM']);

/** True for a word that stands beside a person's name and is no part of it: of a payment, a trade, or a number. */
export const isFiller = ({ role, text }: NameToken): boolean =>
  role === 'NUMBER' || role === 'GENERIC' || isFillerWord(text);

/**
 * Returns the score of a name that a longer text contains whole, with its words adjacent or with filler between them,
 * beside filler, a shop or a second person; else 0.
 */
export function containedScore(
  paired: readonly PairedWords[],
  inner: readonly NameToken[],
  outer: readonly NameToken[],
  places: readonly number[],
): number {
  const names = inner.filter(({ role }) => role === 'NAME').length;
  if (names === 0 || inner.length < 2) return 0;
  if (paired.some(({ similarity }) => similarity < LIKENESS_OF_EACH)) return 0;
  const rest = outer.filter((token, i) => !BESIDE_WORDS.has(token.role) && !places.includes(i));
  if (!rest.every(isFiller)) {
    if (names < 2 || inner.some(({ role }) => role === 'INITIAL')) return 0;
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const isApart = (token: NameToken, i: number): boolean =>
      i > first && i < last && rest.includes(token) && !places.includes(i) && !isFiller(token);
    if (outer.some(isApart)) return 0;
  }
  const weight = paired.reduce((sum, pair) => sum + pair.weight, 0);
  const likeness = paired.reduce((sum, pair) => sum + pair.weight * pair.similarity, 0) / weight;
  return CONTAINED * likeness;
}

/**
 * True if the order of syllables in their own script makes another name. There the family name is first; in Latin
 * letters it may also be last.
 */
export function isReordered(
  paired: readonly PairedWords[],
  left: readonly NameToken[],
  right: readonly NameToken[],
): boolean {
  const hasOwnSyllable = left.some(isSyllable);
  const other = right.some(isSyllable);
  if (!hasOwnSyllable && !other) return false;
  const order = paired
    .map(({ lefts, rights }) => [lefts[0] ?? 0, rights[0] ?? 0] as const)
    .map(([l, r]) => (hasOwnSyllable ? ([l, r] as const) : ([r, l] as const)))
    .sort(([a], [b]) => a - b)
    .map(([, place]) => place);
  const rises = (places: readonly number[]): boolean =>
    places.every((place, i) => i === 0 || place > (places[i - 1] ?? place));
  if (rises(order)) return false;
  const [family = 0, ...given] = order;
  return (hasOwnSyllable && other) || !rises([...given, family]);
}

/** True if the first two words of otherwise equal names changed places and both are given names: father and son. */
export function areFirstWordsSwapped(
  paired: readonly PairedWords[],
  left: readonly NameToken[],
  right: readonly NameToken[],
): boolean {
  if (paired.length < 3 || paired.every(({ lefts, rights }) => lefts[0] === rights[0])) return false;
  const words = (tokens: readonly NameToken[]): number[] =>
    tokens.flatMap((token, i) => (isWord(token) ? [i] : []));
  const leftWords = words(left);
  const rightWords = words(right);
  if (leftWords.length < 3 || leftWords.length !== rightWords.length || paired.length !== leftWords.length) {
    return false;
  }
  const to = new Map(paired.map(({ lefts, rights }) => [lefts[0], rights[0]]));
  const order = leftWords.map((i) => rightWords.indexOf(to.get(i) ?? -1));
  const swapped = order[0] === 1 && order[1] === 0 && order.slice(2).every((place, i) => place === i + 2);
  return swapped && leftWords.slice(0, 2).every((i) => isGiven(left[i]));
}

const isGiven = (token: NameToken | undefined): boolean =>
  token !== undefined &&
  ((token.own && !familyNames.has(token.text)) ||
    token.spellings !== undefined ||
    token.nicknames !== undefined);
