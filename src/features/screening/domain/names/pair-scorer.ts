import { Alignment, type PairScore } from './alignment.js';
import { mechanisms } from './mechanisms.js';
import { writtenTokens, type NameToken } from './name-token.js';
import { normaliseName, type NameKind } from './normalise.js';
import { compareTokens } from './token-similarity.js';
import { splitJointName, splitTradeName } from './whole-names.js';

export type { PairScore };

/** The version of the scorer, stored with every hit. A change that can alter any score needs a new version. */
export const SCORER_VERSION = '5';

/** Scores two names as written. If a name holds two (`X/Y`), the best pair counts. */
export function scoreNames(left: string, right: string, kind: NameKind): PairScore {
  let best: PairScore | null = null;
  for (const l of splitAlternatives(left).map((name) => tokensOf(name, kind))) {
    for (const r of splitAlternatives(right).map((name) => tokensOf(name, kind))) {
      const scored = scoreTokens(l, r, kind);
      if (!best || scored.score > best.score) best = scored;
    }
  }
  return best ?? { score: 0, alignment: [] };
}

/** Returns the name, and its parts if it is two names with a slash between them. */
export function splitAlternatives(name: string): readonly string[] {
  const parts = name.split('/').map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => part.length >= 5) ? [name, ...parts] : [name];
}

export const tokensOf = (name: string, kind: NameKind): NameToken[] =>
  normaliseName(name, kind).map((key) => writtenTokens.of(key));

/**
 * Scores two normalised names. Pure: only the two names and their kind matter. For a joint account, the best single
 * name counts, never a combination of words of both.
 */
export function scoreTokens(
  left: readonly NameToken[],
  right: readonly NameToken[],
  kind: NameKind,
  compare: typeof compareTokens = compareTokens,
): PairScore {
  const whole = scoreWhole(left, right, kind, compare);
  if (kind === 'ORGANISATION' || kind === 'OTHER') return bestOfTradeNames(left, right, kind, compare, whole);
  if (!mechanisms.JOINT) return whole;
  const lefts = splitJointName(left);
  const rights = splitJointName(right);
  if (lefts.length === 1 && rights.length === 1) return whole;
  const { alignment } = whole;
  const complete =
    (lefts.length === 1 ||
      !alignment.some(({ left: word, similarity }) => word !== null && similarity === 0)) &&
    (rights.length === 1 ||
      !alignment.some(({ right: word, similarity }) => word !== null && similarity === 0));
  return lefts
    .flatMap((one) => rights.map((other) => scoreWhole(one, other, kind, compare)))
    .reduce(
      (best, scored) => (scored.score > best.score ? scored : best),
      complete ? whole : { score: 0, alignment },
    );
}

/** Scores a company also by its legal name and by the trade name behind it, each alone. */
function bestOfTradeNames(
  left: readonly NameToken[],
  right: readonly NameToken[],
  kind: NameKind,
  compare: typeof compareTokens,
  whole: PairScore,
): PairScore {
  const lefts = splitTradeName(left);
  const rights = splitTradeName(right);
  if (!mechanisms.TRADE_NAMES || lefts.length + rights.length === 2) return whole;
  return lefts
    .flatMap((one) => rights.map((other) => scoreWhole(one, other, kind, compare)))
    .reduce((best, scored) => (scored.score > best.score ? scored : best), whole);
}

function scoreWhole(
  left: readonly NameToken[],
  right: readonly NameToken[],
  kind: NameKind,
  compare: typeof compareTokens,
): PairScore {
  const work = new Alignment(left, right, compare);
  work.pairEqual();
  if (work.isOpen) {
    work.pairJoined();
    work.pairInitials();
    work.pairRest();
  }
  return work.score(kind);
}
