import { asciiText } from './plain-text.js';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const MIN_IBAN = 15;
const NUMERIC = /^[\d ./-]*\d[\d ./-]*x?$/i;
const CHECK_DIGIT = /^(\d{3,})-([\dX])$/;

/** Returns an IBAN without spaces, in capitals; null if its check digits are wrong (ISO 13616, ISO 7064 MOD 97-10). */
export function canonicalIban(text: string): string | null {
  const plain = text.replace(/[ -]/g, '').toUpperCase();
  return IBAN.test(plain) && remainderOf97(`${plain.slice(4)}${plain.slice(0, 4)}`) === 1 ? plain : null;
}

function remainderOf97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/**
 * Returns the canonical form of an account: an IBAN, or branch and number without dots, spaces and the hyphen before a
 * check digit. Any other text is the institution's own reference and stays as it is.
 */
export function canonicalAccountNumber(text: string): string {
  const ascii = asciiText(text);
  const international = ascii.length < MIN_IBAN ? null : canonicalIban(ascii);
  if (international !== null) return international;
  if (!NUMERIC.test(ascii)) return text;
  return ascii
    .toUpperCase()
    .replace(/[ .]/g, '')
    .split('/')
    .map((part) => part.replace(CHECK_DIGIT, '$1$2'))
    .join('/');
}
