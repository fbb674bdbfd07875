/** Check digits of CPF and CNPJ, as the service counts them (src/platform/kernel/values/tax-id.ts). */
const PUNCTUATION = /[.\-/ ]/g;

export function isCpf(text: string): boolean {
  const digits = text.replace(PUNCTUATION, '');
  if (!/^\d{11}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  return hasCheckDigits(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
}

/** Since July 2026 the first twelve places may hold letters, which count as their ASCII code less 48. */
export function isCnpj(text: string): boolean {
  const characters = text.replace(PUNCTUATION, '').toUpperCase();
  if (!/^[0-9A-Z]{12}\d{2}$/.test(characters) || /^0+$/.test(characters)) return false;
  const second = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return hasCheckDigits(characters, second.slice(1), second);
}

const hasCheckDigits = (text: string, first: readonly number[], second: readonly number[]): boolean =>
  text.slice(first.length) === `${checkDigit(text, first)}${checkDigit(text, second)}`;

function checkDigit(text: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}
