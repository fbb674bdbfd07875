import { TaxId } from '../kernel/values/tax-id.js';

/**
 * Removes tax ids, secrets and tokens from free text. Log lines consist of ids and codes anyway; this is a second
 * protection, for messages of libraries and unexpected errors.
 */
export function redact(text: string): string {
  let out = text;
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement);
  for (const shape of TAX_ID_SHAPES) {
    out = out.replace(shape, (found) => (TaxId.accepts(found) ? '[tax id]' : found));
  }
  return out;
}

/**
 * Redacts the stack of an unexpected error. Parsers and databases quote the values that they reject, so double-quoted
 * text is removed, unless it is a plain lower-case name (a table, a column, a key).
 */
export const redactStack = (stack: string): string => redact(stack.replace(QUOTED, '"…"'));

/** True if an identifier that a caller chose contains a secret, or a valid CPF or CNPJ. */
export const containsSecretOrTaxId = (identifier: string): boolean =>
  SECRET.test(identifier) ||
  TAX_ID_SHAPES.some((shape) => (identifier.match(shape) ?? []).some((found) => TaxId.accepts(found)));

// Matches from the first quote of a line to its last, because quoted JSON contains quotes.
const QUOTED = /"(?![a-z][a-z0-9_.-]*"(?![^\n]*"))[^\n]*"/g;
// Client and machine secrets, refresh, invitation, set-up and device tokens; access tokens are JWTs.
const SECRET = /(?:vsk|vms|vrt|vit|vst|vdt|whsec|ses)_[A-Za-z0-9_-]{20}|\beyJ[A-Za-z0-9_-]{10,}\.eyJ/;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[redacted]'],
  [/\b(vsk|vms|vrt|vit|vst|vdt)_[A-Za-z0-9_-]{20,}/g, '$1_[redacted]'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '[token]'],
  [/(:\/\/[^:@\s/]*:)[^@\s/]+@/g, '$1[redacted]@'],
  // CPF and CNPJ (numeric and alphanumeric), with or without punctuation
  [/\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b/g, '[tax id]'],
  [/\b[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}\b/g, '[tax id]'],
  [/\bses_[A-Za-z0-9_-]+/g, 'ses_[redacted]'],
];

// These patterns match even next to letters or an underscore. Check digits then decide, because hexadecimal ids may
// contain eleven digits in a row.
const TAX_ID_SHAPES: readonly RegExp[] = [
  /(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)/g,
  /(?<!\d)\d{2}\.?\d{3}\.?\d{3}[-/]?\d{4}-?\d{2}(?!\d)/g,
  /(?<![0-9A-Z])[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}[-/]?[0-9A-Z]{4}-?\d{2}(?![0-9A-Z])/gi,
];
