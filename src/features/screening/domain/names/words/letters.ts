import { table } from '../../../../../platform/kernel/table.js';

/** Returns the letters of a text as bits: a cheap test that two texts are too different to compare. */
export function lettersOf(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i += 1) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

export function bitCount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const LEET: Readonly<Record<string, string>> = table({
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
});

/** Reads digits among letters as the letters that they look like. */
export function digitsToLetters(text: string): string {
  return /[0-9]/.test(text) && /[a-z]{2}/.test(text)
    ? text.replace(/[0-9]/g, (digit) => LEET[digit] ?? digit)
    : text;
}
