/**
 * Removes what must never be in a log line from free text: tax ids, secrets and tokens. Log lines are built from
 * identifiers and codes; this is the second wall, for messages of libraries and of unexpected errors.
 */
export function redact(text: string): string {
  let out = text;
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement);
  return out;
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[redacted]'],
  [/\bvsk_[A-Za-z0-9_-]{20,}/g, 'vsk_[redacted]'],
  [/(:\/\/[^:@\s/]*:)[^@\s/]+@/g, '$1[redacted]@'],
  // CPF and CNPJ (numeric and alphanumeric), with or without punctuation
  [/\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b/g, '[tax id]'],
  [/\b[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}\b/g, '[tax id]'],
  [/\bses_[A-Za-z0-9_-]+/g, 'ses_[redacted]'],
];
