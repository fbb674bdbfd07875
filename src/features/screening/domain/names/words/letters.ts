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
