/** Returns the remainder of digits and capital letters (10 to 35) by ISO 7064 MOD 97-10; 1 if the check digits are right. */
export function remainderOf97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
