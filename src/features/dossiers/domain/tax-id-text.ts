import { TaxId } from '../../../platform/kernel/values/tax-id.js';

/** True for a full CPF or CNPJ with valid check digits. */
export function isTaxId(text: string): boolean {
  const parsed = TaxId.parse(text);
  return parsed.ok && !parsed.id.isMasked;
}

/** Adds the punctuation: `529.982.247-25`, `12.ABC.345/01DE-35`. Returns any other text as it is. */
export function punctuatedTaxId(text: string): string {
  if (/^\d{11}$/.test(text)) return text.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  if (/^[0-9A-Z]{12}\d{2}$/.test(text)) return text.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return text;
}
