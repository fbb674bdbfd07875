import type { ProviderCheck, ProviderOutcome } from '../../../providers/index.js';
import { errorFinding, checkFinding, missingInputFinding, type CheckFinding } from './built-in-checks.js';

const POINTS: Readonly<Record<ProviderCheck, number>> = {
  DOCUMENT: 60,
  FACE_MATCH: 60,
  LIVENESS: 60,
  RECEITA: 60,
  ADDRESS: 30,
};

/** Converts a provider's verdict to a finding. FAIL asks for a review: no machine refuses a person alone. */
export function findingFromProvider(check: ProviderCheck, outcome: ProviderOutcome): CheckFinding {
  const { reason, source, remarks } = outcome;
  const checkResult = ((): CheckFinding => {
    switch (outcome.verdict) {
      case 'PASS':
        return checkFinding('NO_HIT', reason);
      case 'FAIL':
        return checkFinding('HIT', reason ?? 'PROVIDER_FAILED_IT', POINTS[check], 'REVIEW');
      case 'UNSURE':
        return checkFinding('PARTIAL', reason ?? 'PROVIDER_UNSURE');
      case 'ABSENT':
        return missingInputFinding('PROVIDER_ABSENT');
      case 'ERROR':
        return errorFinding(reason ?? 'PROVIDER_MALFORMED');
    }
  })();
  return { ...checkResult, source, ...(remarks.length > 0 && { remarks }) };
}
