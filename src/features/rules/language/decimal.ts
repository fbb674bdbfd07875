/**
 * Arithmetic of the language. A number is a decimal of at most 15 significant digits, kept as the double nearest to it;
 * doubles keep all of those apart, so comparing them is exact. An operation gives a decimal again: a product or quotient
 * is rounded to 15 significant digits, a sum or difference at the 15th digit of the larger operand. So 0.1 + 0.2 == 0.3,
 * 1000.01 - 1000 == 0.01, and amounts in cents are exact up to 9,999,999,999,999.99.
 * NaN means "unknown"; an operation without a finite result is unknown.
 */
const DIGITS = 15;
const LARGEST_EXACT = 1e15;
const CENTS_EXACT = 1e13;
// Less than half a unit of the 15th digit, and more than the error of a multiplication.
const FEW_ULPS = 2 ** -51;

/** Rounds to 15 significant digits. */
export function roundToExact(value: number): number {
  // Nearly every number is whole or in cents; other numbers take a slower path to the same result.
  if (Math.abs(value) < LARGEST_EXACT && Number.isInteger(value)) return value + 0;
  if (Math.abs(value) < CENTS_EXACT) {
    const cents = Math.round(value * 100) / 100;
    if (Math.abs(cents - value) <= Math.abs(value) * FEW_ULPS) return cents + 0;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : NaN;
}

export function add(a: number, b: number): number {
  const sum = a + b;
  const [centsA, centsB] = [Math.round(a * 100), Math.round(b * 100)];
  // Amounts in whole cents are added as integers. A number counts if it is the double nearest to whole cents.
  if (Math.abs(centsA) < LARGEST_EXACT && Math.abs(centsB) < LARGEST_EXACT) {
    if (centsA / 100 === a && centsB / 100 === b) return (centsA + centsB) / 100 + 0;
  }
  if (!Number.isFinite(sum)) return NaN;
  // The sum is no more precise than its larger operand.
  const largest = Math.max(Math.abs(a), Math.abs(b));
  const places = DIGITS - 1 - Math.floor(Math.log10(largest));
  return roundToExact(Number(sum.toFixed(Math.min(100, Math.max(0, places)))));
}

export const subtract = (a: number, b: number): number => add(a, -b);
export const multiply = (a: number, b: number): number => roundToExact(a * b);
/** Divides; division by zero is unknown (NaN). */
export const divide = (a: number, b: number): number => (b === 0 ? NaN : roundToExact(a / b));

/** True if a number is a whole multiple of another, which is not 0. */
export function isMultiple(value: number, of: number): boolean {
  const [cents, step] = [Math.round(value * 100), Math.round(of * 100)];
  // For whole cents the remainder decides; the quotient, with its 15 digits, takes longer.
  if (cents / 100 === value && step / 100 === of && Math.abs(cents) < LARGEST_EXACT && step < LARGEST_EXACT) {
    return cents % step === 0;
  }
  return Number.isInteger(divide(value, of));
}

/** Reads an exact decimal, such as an amount of `kernel/values/money`, as a number of the language. */
export const exactNumberOf = (decimal: string): number => roundToExact(Number(decimal));
