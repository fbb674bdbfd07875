/**
 * Arithmetic of the language. A number is a decimal of at most 15 significant digits, kept as the double nearest to it;
 * doubles keep all of those apart, so comparing them is exact. Every operation rounds its result to 15 significant
 * digits again, so that 0.1 + 0.2 == 0.3 and an amount in cents stays one up to 9,999,999,999,999.99.
 * NaN stands for "unknown"; what has no finite result is unknown.
 */
const LARGEST_EXACT = 1e15;
const CENTS_EXACT = 1e13;
// Less than half of the 15th digit's worth, and more than an operation can be off.
const FEW_ULPS = 2 ** -51;

/** Rounds to 15 significant digits. */
export function settled(value: number): number {
  // Nearly every number is whole or in cents; the rest takes the slow way, with the same result.
  if (Math.abs(value) < LARGEST_EXACT && Number.isInteger(value)) return value + 0;
  if (Math.abs(value) < CENTS_EXACT) {
    const cents = Math.round(value * 100) / 100;
    if (Math.abs(cents - value) <= Math.abs(value) * FEW_ULPS) return cents + 0;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : NaN;
}

export const add = (a: number, b: number): number => settled(a + b);
export const subtract = (a: number, b: number): number => settled(a - b);
export const multiply = (a: number, b: number): number => settled(a * b);
/** Division by zero is unknown. */
export const divide = (a: number, b: number): number => (b === 0 ? NaN : settled(a / b));

/** Whether a number is a whole multiple of another, which is not 0. */
export const isMultiple = (value: number, of: number): boolean => Number.isInteger(divide(value, of));

/** Reads an exact decimal, such as an amount of `kernel/money`, as a number of the language. */
export const numberOf = (decimal: string): number => settled(Number(decimal));
