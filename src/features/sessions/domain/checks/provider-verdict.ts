import type { ProviderCheck, ProviderOutcome } from '../../../providers/index.js';
import { errorFinding, finding, missingInputFinding, type Finding } from './built-in-checks.js';

const POINTS: Readonly<Record<ProviderCheck, number>> = {
  DOCUMENT: 60,
  FACE_MATCH: 60,
  LIVENESS: 60,
  RECEITA: 60,
  ADDRESS: 30,
};

/** Converts a provider's verdict to a finding. FAIL asks for a review: no machine refuses a person alone. */
export function findingFromProvider(check: ProviderCheck, outcome: ProviderOutcome): Finding {
  const { reason, source, remarks } = outcome;
  const found = ((): Finding => {
    switch (outcome.verdict) {
      case 'PASS':
        return finding('NO_HIT', reason);
      case 'FAIL':
        return finding('HIT', reason ?? 'PROVIDER_FAILED_IT', POINTS[check], 'REVIEW');
      case 'UNSURE':
        return finding('PARTIAL', reason ?? 'PROVIDER_UNSURE');
      case 'ABSENT':
        return missingInputFinding('PROVIDER_ABSENT');
      case 'ERROR':
        return errorFinding(reason ?? 'PROVIDER_MALFORMED');
    }
  })();
  return { ...found, source, ...(remarks.length > 0 && { remarks }) };
}
