import { isSyllable, type NameToken } from './name-token.js';

/** Names of a joint account stand on either side of one of these. */
const CONJUNCTIONS: ReadonlySet<string> = new Set(['e', 'y', 'and', 'und', 'et', 'ou', 'or']);

const isConjunction = ({ text, role }: NameToken): boolean =>
  (role === 'PARTICLE' || role === 'NAME') && CONJUNCTIONS.has(text);

const isWord = ({ role }: NameToken): boolean => role === 'NAME' || role === 'INITIAL';

/** The names of a text that joins several; the text itself when it is one name. `Silva e Souza` is one: a half has two words. */
export function joinedNames(tokens: readonly NameToken[]): readonly (readonly NameToken[])[] {
  if (!tokens.some(isConjunction)) return [tokens];
  const parts: NameToken[][] = [[]];
  for (const token of tokens) {
    if (isConjunction(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.every((part) => part.filter(isWord).length >= 2) ? parts : [tokens];
}

/** Words that were paired, by their places in both names. */
export interface Paired {
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
  readonly similarity: number;
  readonly weight: number;
}

// The rest of a longer text says little about a name that stands whole in it.
const CONTAINED = 0.9;
const LIKENESS_OF_EACH = 0.84;

/**
 * The score that a name has because it stands whole, word beside word, in a longer text: filler, a shop, a second person.
 * Zero when it does not.
 */
export function containedScore(
  paired: readonly Paired[],
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
 * Whether syllables of a name in its own script come in an order that makes another name of it. There the family name is
 * in front; in Latin letters it may also stand at the end.
 */
export function isReordered(
  paired: readonly Paired[],
  left: readonly NameToken[],
  right: readonly NameToken[],
): boolean {
  const own = left.some(isSyllable);
  const other = right.some(isSyllable);
  if (!own && !other) return false;
  const order = paired
    .map(({ lefts, rights }) => [lefts[0] ?? 0, rights[0] ?? 0] as const)
    .map(([l, r]) => (own ? ([l, r] as const) : ([r, l] as const)))
    .sort(([a], [b]) => a - b)
    .map(([, place]) => place);
  const rises = (places: readonly number[]): boolean =>
    places.every((place, i) => i === 0 || place > (places[i - 1] ?? place));
  if (rises(order)) return false;
  const [family = 0, ...given] = order;
  return (own && other) || !rises([...given, family]);
}

/** Whether the first two words of otherwise equal names changed places, and both are given names: father and son. */
export function areSwapped(
  paired: readonly Paired[],
  left: readonly NameToken[],
  right: readonly NameToken[],
): boolean {
  if (paired.length < 3 || paired.every(({ lefts, rights }) => lefts[0] === rights[0])) return false;
  const words = (tokens: readonly NameToken[]): number[] =>
    tokens.flatMap((token, i) => (isWord(token) ? [i] : []));
  const mine = words(left);
  const theirs = words(right);
  if (mine.length < 3 || mine.length !== theirs.length || paired.length !== mine.length) return false;
  const to = new Map(paired.map(({ lefts, rights }) => [lefts[0], rights[0]]));
  const order = mine.map((i) => theirs.indexOf(to.get(i) ?? -1));
  const swapped = order[0] === 1 && order[1] === 0 && order.slice(2).every((place, i) => place === i + 2);
  return swapped && mine.slice(0, 2).every((i) => isGiven(left[i]));
}

const isGiven = (token: NameToken | undefined): boolean =>
  token !== undefined && (token.own || token.spellings !== undefined || token.nicknames !== undefined);
