import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import type { CustomerProfile } from './customer.js';

/** Returns the masked document; null when it is unknown or not valid. */
export function maskedDocument(profile: CustomerProfile | null): string | null {
  const knownDocument = profile?.document ?? profile?.documentMasked ?? null;
  const parsed = knownDocument === null ? null : TaxId.parse(knownDocument);
  return parsed?.ok === true ? parsed.id.maskedText : null;
}

/** Returns the first character and the domain: enough to ask a person for the right address. */
export function maskedEmail(email: string | null): string | null {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${String.fromCodePoint(email.codePointAt(0) ?? 42)}***${email.slice(at)}`;
}

/** Returns the first character of each word, for operators who may read cases but not customer records. */
export const maskedName = (name: string | null): string | null =>
  name === null
    ? null
    : name
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => `${String.fromCodePoint(word.codePointAt(0) ?? 42)}***`)
        .join(' ');

/** Returns a masked number with only its last four digits. */
export function maskedPhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = phone.replace(/\D/g, '');
  return digits.length < 8 ? '***' : `***${digits.slice(-4)}`;
}
