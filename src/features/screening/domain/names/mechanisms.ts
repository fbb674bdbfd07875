/**
 * Parts of the scorer that its evaluation switches off one by one, to measure their worth. Nothing else changes them.
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
  ABBREVIATIONS: true,
  SAINTS: true,
  TRADE_NAMES: true,
  SERIES: true,
  VOWELS: true,
  SHOPS: true,
};
