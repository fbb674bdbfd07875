import type { ListKind } from '../lists/list-entry.js';
import type { QualifiedMatch } from '../qualify.js';

/** Maximum number of mandatory matches of one list for one party. Each is stored, and decided by a person. */
export const MAX_MANDATORY = 100;

interface NamedMatch extends QualifiedMatch {
  readonly nameScore: number;
}

/** The matches that are kept. `isCut`: there may be further matches that would have decided something. */
export interface KeptMatches<Found> {
  readonly candidates: readonly Found[];
  readonly isCut: boolean;
}

/**
 * Keeps every mandatory match, and at most `limit` of the other matches. Their order is such that no fact that rules
 * read depends on the number of entries in the list.
 */
export function keepMatches<Found extends NamedMatch>(
  found: readonly Found[],
  kind: ListKind,
  limit: number,
): KeptMatches<Found> {
  const best = found.toSorted(
    (a, b) =>
      Number(b.mandatory) - Number(a.mandatory) ||
      Number(isFact(kind, b)) - Number(isFact(kind, a)) ||
      Number(a.strength === 'CONTRADICTED') - Number(b.strength === 'CONTRADICTED') ||
      b.nameScore - a.nameScore ||
      b.score - a.score,
  );
  const mandatory = best.filter((match) => match.mandatory).length;
  return {
    candidates: best
      .slice(0, Math.min(mandatory, MAX_MANDATORY))
      .concat(best.slice(mandatory, mandatory + limit)),
    isCut: mandatory > MAX_MANDATORY,
  };
}

/** True if rules read the name score of such a match. */
const isFact = (kind: ListKind, { strength, qualifiers }: QualifiedMatch): boolean =>
  kind === 'PEP' ? qualifiers.includes('MASKED_DOCUMENT_EQUAL') : strength !== 'CONTRADICTED';
