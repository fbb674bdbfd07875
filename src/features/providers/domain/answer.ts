import type { ProviderKind } from './provider.js';

export interface DocumentReading {
  /** The lines of the machine-readable zone. */
  readonly zone: readonly string[] | null;
  readonly name: string | null;
  /** CPF or CNPJ, as printed on the document. */
  readonly document: string | null;
  readonly birthDate: string | null;
  readonly documentNumber: string | null;
  /** `YYYY-MM-DD`. */
  readonly expiresOn: string | null;
  /** The content of the signed QR code of a CNH or CIN; `verified` if the provider has checked its signature. */
  readonly code: { readonly text: string; readonly verified: boolean } | null;
}

export type ProviderVerdict = 'PASS' | 'FAIL' | 'UNSURE';

export type ProviderAnswer =
  | {
      readonly verdict: ProviderVerdict;
      /** A code that the provider defines. */
      readonly reason: string | null;
      readonly data: DocumentReading | null;
    }
  | { readonly verdict: 'ERROR'; readonly reason: string };

const REASON = /^[A-Z][A-Z0-9_]{0,63}$/;
const MAX_TEXT_LENGTH = 2_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const malformed = { verdict: 'ERROR', reason: 'PROVIDER_MALFORMED' } as const;

/**
 * Parses a provider's response: `{ "verdict": "PASS" | "FAIL" | "UNSURE", "reason"?: "A_CODE", "data"?: { … } }`. Anything
 * else is an error, and never a passed check. Malformed `data` is refused as a whole.
 */
export function readAnswer(kind: ProviderKind, text: string): ProviderAnswer {
  const answer = objectIn(parseJson(text));
  if (!answer) return malformed;
  const { verdict, reason } = answer;
  if (verdict !== 'PASS' && verdict !== 'FAIL' && verdict !== 'UNSURE') return malformed;
  const knownReason = typeof reason === 'string' && REASON.test(reason) ? reason : null;
  if (kind !== 'DOCUMENT' || answer['data'] === undefined || answer['data'] === null) {
    return { verdict, reason: knownReason, data: null };
  }
  const data = documentIn(answer['data']);
  return data ? { verdict, reason: knownReason, data } : malformed;
}

function documentIn(value: unknown): DocumentReading | null {
  const members = objectIn(value);
  if (!members) return null;
  const { mrz, code } = members;
  const zone = mrz ?? null;
  if (zone !== null && !(Array.isArray(zone) && zone.length <= 3 && zone.every(isText))) return null;
  const fields = ['name', 'document', 'birthDate', 'documentNumber', 'expiresOn'] as const;
  const texts: Record<string, string | null> = {};
  for (const field of fields) {
    const text = members[field] ?? null;
    if (text !== null && !isText(text)) return null;
    texts[field] = text;
  }
  for (const date of [texts['birthDate'], texts['expiresOn']]) {
    if (typeof date === 'string' && !DAY.test(date)) return null;
  }
  const reading = code === undefined || code === null ? null : codeIn(code);
  if (reading === 'WRONG') return null;
  return {
    zone: zone as readonly string[] | null,
    ...(texts as Record<(typeof fields)[number], string | null>),
    code: reading,
  };
}

function codeIn(value: unknown): DocumentReading['code'] | 'WRONG' {
  const members = objectIn(value);
  return members && isText(members['text']) && typeof members['verified'] === 'boolean'
    ? { text: members['text'], verified: members['verified'] }
    : 'WRONG';
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;

const objectIn = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not JSON
  }
}
