import { TaxId } from '../../../../platform/kernel/values/tax-id.js';

// Runs of digits and capitals that could be a CPF or a CNPJ, with or without punctuation, not part of something longer.
const CANDIDATE =
  /(?<![0-9A-Za-z])(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2})(?![0-9A-Za-z])/g;
const CPF_DIGITS = 11;
const CNPJ_DIGITS = 14;

/**
 * Returns a submitted body for operators, with every full CPF or CNPJ masked, even in free text and metadata. Other
 * numbers that look like a CPF or CNPJ, as some phone numbers do, are masked too.
 */
export function maskBody(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CANDIDATE, (found) => maskDocument(found) ?? found);
  if (typeof value === 'number') return maskNumber(value);
  if (Array.isArray(value)) return value.map(maskBody);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [maskBody(name) as string, maskBody(member)]),
  );
}

function maskDocument(text: string): string | null {
  const parsed = TaxId.parse(text);
  return parsed.ok ? parsed.id.maskedText : null;
}

/** Masks a document that was sent as a number, and so has lost its leading zeros. Other numbers stay. */
function maskNumber(value: number): unknown {
  if (!Number.isSafeInteger(value) || value < 1e8) return value;
  const digits = String(value);
  if (digits.length > CNPJ_DIGITS) return value;
  const asCpf = digits.length <= CPF_DIGITS ? maskDocument(digits.padStart(CPF_DIGITS, '0')) : null;
  return asCpf ?? maskDocument(digits.padStart(CNPJ_DIGITS, '0')) ?? value;
}
