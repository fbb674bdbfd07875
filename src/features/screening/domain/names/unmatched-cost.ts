import { mechanisms } from './mechanisms.js';
import type { NameToken } from './name-token.js';
import type { TokenLikeness } from './token-similarity.js';

/** One line of the explanation: two compared tokens and their effect on the score. */
export interface AlignmentLine {
  readonly left: string | null;
  readonly right: string | null;
  readonly how:
    | TokenLikeness
    | 'CONTRADICTION'
    | 'MISSING'
    | 'SUFFIX_CONFLICT'
    | 'SUFFIX_MISSING'
    | 'LEGAL_FORM_CONFLICT';
  readonly similarity: number;
  readonly weight: number;
}

// Two unmatched tokens, one in each name, contradict each other. An unmatched token in one name only is merely missing.
export const CONTRADICTION = 1.6;
const MISSING = [0.26, 0.16, 0.12, 0.1] as const;
// An additional word means another organisation more often than another person.
const MISSING_OF_ORGANISATION = [0.4, 0.3, 0.2, 0.16] as const;
// A word such as "Systems" or "Trust" names another company of the same group.
const MISSING_GENERIC = 0.45;
// William G. and William W.: initials weigh little when they agree and more when they do not.
const CONTRADICTING_INITIAL = 0.55;

const contradictionOf = ({ role, weight, text }: NameToken): number =>
  role === 'INITIAL' && text.length === 1 ? CONTRADICTING_INITIAL : weight;

const MISSING_SYLLABLE = 0.9;

/**
 * Returns the cost of tokens without a counterpart: of contradicting pairs, then of missing tokens. `native`: a name
 * has syllables in their own script.
 */
export function unmatchedCost(
  left: readonly NameToken[],
  right: readonly NameToken[],
  organisation: boolean,
  native: boolean,
  alignment: AlignmentLine[] | null,
): number {
  if (left.length === 0 && right.length === 0) return 0;
  const lefts = [...left].sort((a, b) => b.weight - a.weight);
  const rights = [...right].sort((a, b) => b.weight - a.weight);
  const pairs = Math.min(lefts.length, rights.length);
  let cost = 0;
  for (let i = 0; i < pairs; i += 1) {
    const a = lefts[i];
    const b = rights[i];
    if (!a || !b) continue;
    const weight = CONTRADICTION * ((contradictionOf(a) + contradictionOf(b)) / 2);
    cost += weight;
    alignment?.push({ left: a.text, right: b.text, how: 'CONTRADICTION', similarity: 0, weight });
  }
  // A syllable of a Chinese or Korean name is never left out.
  const syllables = mechanisms.SYLLABLES && native;
  const steps = organisation ? MISSING_OF_ORGANISATION : MISSING;
  const rest = lefts.length > pairs ? lefts.slice(pairs) : rights.slice(pairs);
  rest.forEach((token, i) => {
    const weight =
      organisation && token.role === 'GENERIC'
        ? MISSING_GENERIC
        : token.weight * (syllables ? MISSING_SYLLABLE : (steps[Math.min(i, steps.length - 1)] ?? 0));
    cost += weight;
    const isLeft = lefts.length > pairs;
    alignment?.push({
      left: isLeft ? token.text : null,
      right: isLeft ? null : token.text,
      how: 'MISSING',
      similarity: 0,
      weight,
    });
  });
  return cost;
}
