import type { EvidenceComponent } from './checks/evidence.js';
import type { SessionComposition, SessionOutcome } from './session.js';

export interface ComposedResult {
  readonly outcome: SessionOutcome;
  /** Null when the composition is MISSING. */
  readonly riskScore: number | null;
  readonly composition: SessionComposition;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
}

/** From this score on a person reviews the session; the same as for transactions. */
export const REVIEW_FROM = 60;

const isAnswered = ({ state }: EvidenceComponent): boolean => state === 'HIT' || state === 'NO_HIT';

/**
 * Composes the result by the rules of the score. Missing or failed evidence never counts as zero. Only a complete
 * composition is defensible, unless one person alone approved the flow or a provider. A defensible result is APPROVED
 * automatically if nothing needs a review. REJECTED requires the person's own answer, such as an age below the minimum;
 * a person decides everything else.
 */
export function composeResult(
  evidence: readonly EvidenceComponent[],
  flowSingleControl = false,
  against: readonly string[] = [],
): ComposedResult {
  const required = evidence.filter((component) => component.required);
  const open = required.filter((component) => !isAnswered(component));
  const contradicted = evidence.some(({ name, state }) => name === 'PROFILE' && state === 'HIT');
  const composition = compositionOf(evidence, open, contradicted);
  const isSingleControl =
    flowSingleControl || evidence.some(({ remarks }) => remarks?.includes('SINGLE_CONTROL'));
  const defensible = composition === 'COMPLETE' && !isSingleControl && against.length === 0;
  const points = evidence.reduce((sum, component) => sum + component.points, 0);
  const riskScore = composition === 'MISSING' ? null : Math.min(100, points);
  return {
    outcome: outcomeOf(evidence, defensible, riskScore),
    riskScore,
    composition,
    defensible,
    nonDefensibleReasons: [
      ...open.map(({ name, state }) => `${name}_${state}`),
      ...(contradicted ? ['PROFILE_INCONSISTENT'] : []),
      ...(isSingleControl ? ['SINGLE_CONTROL'] : []),
      ...against,
    ],
  };
}

function compositionOf(
  evidence: readonly EvidenceComponent[],
  open: readonly EvidenceComponent[],
  contradicted: boolean,
): SessionComposition {
  const lists = evidence.find(({ name }) => name === 'LISTS');
  if (!lists || lists.state === 'MISSING_INPUT' || lists.state === 'ERROR') return 'MISSING';
  if (contradicted) return 'INCONSISTENT';
  return open.length > 0 ? 'PARTIAL' : 'COMPLETE';
}

function outcomeOf(
  evidence: readonly EvidenceComponent[],
  defensible: boolean,
  riskScore: number | null,
): SessionOutcome {
  if (evidence.some(({ effect }) => effect === 'REJECT')) return 'REJECTED';
  const needsReview = evidence.some(({ effect }) => effect === 'REVIEW');
  return !needsReview && defensible && riskScore !== null && riskScore < REVIEW_FROM ? 'APPROVED' : 'REVIEW';
}
