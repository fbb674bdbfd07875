/**
 * The parts of the scorer that can be left out, so that the evaluation can tell what each of them is worth. All are on;
 * nothing but the evaluation changes them.
 */
export const mechanisms = {
  SYLLABLES: true,
  WADE_GILES: true,
  CONSONANTS: true,
  CONTAINED: true,
  JOINT: true,
  REPEATED: true,
  SWAPPED: true,
  EVIDENCE: true,
  DIMINUTIVES: true,
};
