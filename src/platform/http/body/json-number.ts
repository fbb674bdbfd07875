// A number of up to this many characters is exact and finite as a double, unless it has an exponent.
export const ALWAYS_EXACT_LENGTH = 15;
// This many digits distinguish any two doubles; a sender that formats doubles never needs more.
const MAX_SIGNIFICANT_DIGITS = 17;
const ZERO = 0x30;

const NUMBER = /^-?(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/;

/** Returns why a number cannot be read as it is written; null if it can. */
export function numberProblem(text: string): 'NUMBER_TOO_PRECISE' | 'NUMBER_OUT_OF_RANGE' | null {
  const match = NUMBER.exec(text);
  if (!match) return null; // not a number: the parser refuses it
  const [, integer = '', fraction = '', exponent] = match;
  const digits = significantDigits(integer + fraction);
  if (digits.length > MAX_SIGNIFICANT_DIGITS) return 'NUMBER_TOO_PRECISE';
  const value = Number(text);
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return 'NUMBER_OUT_OF_RANGE';
  // A whole number above 2^53, such as an identifier, could be read as another number. A fraction of 16 or 17
  // digits is accepted, because many senders format a double that way.
  const isWhole = fraction === '' && exponent === undefined;
  return isWhole && digits.length > ALWAYS_EXACT_LENGTH && digits !== significantDigits(digitsOf(value))
    ? 'NUMBER_TOO_PRECISE'
    : null;
}

const digitsOf = (value: number): string => String(Math.abs(value)).replace(/e.*$/, '').replace('.', '');

/** Removes zeros at both ends. A regular expression would take quadratic time in the number of trailing zeros. */
function significantDigits(digits: string): string {
  let start = 0;
  let end = digits.length;
  while (start < end && digits.charCodeAt(start) === ZERO) start += 1;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(start, end);
}
