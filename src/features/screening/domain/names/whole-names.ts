import { isSyllable, type NameToken } from './name-token.js';

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

/**
 * Returns the score of a name that a longer text contains whole, with its words adjacent, beside filler, a shop or a
 * second person; else 0.
 */
export function containedScore(
  paired: readonly PairedWords[],
  inner: readonly NameToken[],
  outer: readonly NameToken[],
  places: readonly number[],
): number {
  const names = inner.filter(({ role }) => role === 'NAME');
  if (names.length < 2 || inner.some(({ role }) => role === 'INITIAL')) return 0;
  if (paired.some(({ similarity }) => similarity < LIKENESS_OF_EACH)) return 0;
  const first = Math.min(...places);
  const last = Math.max(...places);
  for (let i = first; i <= last; i += 1) {
    const token = outer[i];
    if (token && token.role !== 'PARTICLE' && !places.includes(i)) return 0;
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
  token !== undefined && (token.own || token.spellings !== undefined || token.nicknames !== undefined);
