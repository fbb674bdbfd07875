import type { ListKind } from '../../screening/index.js';
import type { Evaluation } from '../../rules/index.js';
import type { Priority, ReviewKind } from '../../reviews/index.js';

/** A hit about a party of a transaction, as far as a review is concerned. */
export interface PartyHit {
  readonly hitId: string;
  readonly listKind: ListKind;
  readonly mandatory: boolean;
  /** Nobody has decided about it yet. */
  readonly pending: boolean;
  readonly dismissed: boolean;
}

/** Why somebody has to look at a transaction. */
export interface ReviewNeed {
  readonly kind: ReviewKind;
  readonly priority: Priority;
  readonly sanctions: boolean;
  readonly hitIds: readonly string[];
}

const BY_LEVEL: Readonly<Record<string, Priority>> = { CRITICAL: 'CRITICAL', HIGH: 'HIGH' };

/**
 * Returns the review that an evaluation needs; null when none. An undecided hit needs one whatever the rules conclude. An
 * evaluation that is only not defensible, and neither scores high nor is sent to a person by a rule, is a gap in the
 * data.
 */
export function reviewNeedOf(evaluation: Evaluation, hits: readonly PartyHit[]): ReviewNeed | null {
  const review = evaluation.outcome === 'REVIEW';
  const standing = hits.filter(({ mandatory, dismissed }) => mandatory && !dismissed);
  if (standing.some(({ pending }) => pending) || (review && standing.length > 0)) {
    const sanctions = standing.some(({ listKind }) => listKind === 'SANCTIONS');
    return {
      kind: 'HIT',
      priority: sanctions ? 'CRITICAL' : 'HIGH',
      sanctions,
      hitIds: [...new Set(standing.map(({ hitId }) => hitId))],
    };
  }
  if (!review) return null;
  const kind = evaluation.judgedByRules ? 'SCORE' : 'DATA_GAP';
  const priority = kind === 'DATA_GAP' ? 'LOW' : (BY_LEVEL[evaluation.level ?? ''] ?? 'MEDIUM');
  return { kind, priority, sanctions: false, hitIds: [] };
}
