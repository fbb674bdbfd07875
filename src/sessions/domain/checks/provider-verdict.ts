import { failed, finding, type Finding } from './built-in-checks.js';
import type { CheckName } from '../flow/flow.js';

export const providerChecks = ['DOCUMENT', 'FACE_MATCH', 'LIVENESS'] as const satisfies readonly CheckName[];
export type ProviderCheck = (typeof providerChecks)[number];

const REASON = /^[A-Z][A-Z0-9_]{0,63}$/;
const POINTS: Readonly<Record<ProviderCheck, number>> = { DOCUMENT: 60, FACE_MATCH: 60, LIVENESS: 60 };

/**
 * Reads what a provider says: `{ "verdict": "PASS" | "FAIL" | "UNSURE", "reason"?: "A_CODE" }`. Anything else is an
 * error, and never a pass. FAIL is for a person to look at: nobody is refused by a machine alone.
 */
export function readVerdict(check: ProviderCheck, text: string, source: string): Finding {
  const said = parsed(text);
  if (!said) return failed('PROVIDER_MALFORMED', source);
  const { verdict, reason } = said;
  const why = typeof reason === 'string' && REASON.test(reason) ? reason : null;
  switch (verdict) {
    case 'PASS':
      return { ...finding('NO_HIT', why), source };
    case 'FAIL':
      return { ...finding('HIT', why ?? 'PROVIDER_FAILED_IT', POINTS[check], 'REVIEW'), source };
    case 'UNSURE':
      return { ...finding('PARTIAL', why ?? 'PROVIDER_UNSURE'), source };
    default:
      return failed('PROVIDER_MALFORMED', source);
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null; // garbage is an answer like any other: it says nothing
  }
}
