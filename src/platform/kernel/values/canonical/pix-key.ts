import { TaxId } from '../tax-id.js';
import { canonicalEmailAddress, canonicalPhoneNumber } from './contact.js';
import { canonicalUuid } from './device-id.js';

const MAX_EMAIL = 77;

/**
 * Returns a PIX key as DICT stores it: e-mail in small letters, telephone in E.164, CPF or CNPJ without punctuation,
 * random key as a UUID. Eleven digits with the check digits of a CPF are a CPF: DICT writes telephones with `+`.
 */
export function canonicalPixKey(text: string): string | null {
  if (text.includes('@') || /^mailto:/i.test(text)) {
    const email = canonicalEmailAddress(text);
    return email !== null && email.length <= MAX_EMAIL ? email : null;
  }
  return canonicalUuid(text) ?? canonicalTaxId(text) ?? canonicalPhoneNumber(text);
}

const TAX_ID_LABEL = /^(?:cpf|cnpj|cpf\/cnpj)(?:[\s:.]|n[º°o]\.?)+(?=[\d\w])/i;

/** Returns a CPF or CNPJ without punctuation; null for a masked number and for any other text. */
export function canonicalTaxId(text: string): string | null {
  const parsed = TaxId.parse(text.replace(TAX_ID_LABEL, ''));
  return parsed.ok && !parsed.id.isMasked ? parsed.id.canonical() : null;
}
