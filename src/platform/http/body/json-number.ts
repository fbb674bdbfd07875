// A number of up to so many characters is exact and finite, unless it has an exponent.
export const ALWAYS_EXACT_LENGTH = 15;
// The digits that it takes to tell any two doubles apart; a writer that has doubles never needs more.
const MAX_SIGNIFICANT_DIGITS = 17;
const ZERO = 0x30;

const NUMBER = /^-?(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/;

/** Returns why a number of a body would not be read as it was written; null if it would be. */
export function numberProblem(text: string): 'NUMBER_TOO_PRECISE' | 'NUMBER_OUT_OF_RANGE' | null {
  const match = NUMBER.exec(text);
  if (!match) return null; // not a number, as the parser will say
  const [, integer = '', fraction = '', exponent] = match;
  const digits = significantDigits(integer + fraction);
  if (digits.length > MAX_SIGNIFICANT_DIGITS) return 'NUMBER_TOO_PRECISE';
  const value = Number(text);
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return 'NUMBER_OUT_OF_RANGE';
  // Identifiers past 2^53 would arrive as their neighbours. Many writers make a fraction of 16 or
  // 17 digits of a double, so such a fraction stands for the double.
  const isWhole = fraction === '' && exponent === undefined;
  return isWhole && digits.length > ALWAYS_EXACT_LENGTH && digits !== significantDigits(digitsOf(value))
    ? 'NUMBER_TOO_PRECISE'
    : null;
}

const digitsOf = (value: number): string => String(Math.abs(value)).replace(/e.*$/, '').replace('.', '');

/** Cuts the zeros at either end. By hand: a regular expression is quadratic in the number of trailing zeros. */
function significantDigits(digits: string): string {
  let start = 0;
  let end = digits.length;
  while (start < end && digits.charCodeAt(start) === ZERO) start += 1;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(start, end);
}
