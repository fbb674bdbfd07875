import { givenNames, isNameInUse } from './names-in-use.js';

const DIMINUTIVE = /^(.{2,}?)(?:z?inh|z?it)[oa]s?$/;
const AUGMENTATIVE = /^(.{3,})ao$/;
const [A, H, T] = ['a', 'h', 't'].map((letter) => letter.charCodeAt(0));
const MIN_CLIPPED = 3;
const MAX_BEGINNING = 5;
// A syllable that a first name may be shortened to: it ends in a vowel, or in one of these letters.
const SYLLABLE_END = /[aeiou]$|[aeiou][bcdfglmnprstvxz]$/;

/**
 * True if the first word is a nickname of the second by the rules of Portuguese: a diminutive (Paulinho, Joaozinho), also
 * of a clipped stem (Nandinho of Fernando), an augmentative (Marcao), or the beginning of a first name (Rafa).
 */
export function isNicknameOf(short: string, full: string): boolean {
  if (isBeginningOf(short, full)) return true;
  // Nearly all words have none of the endings, and this runs for nearly all pairs of words.
  const before = short.charCodeAt(short.length - (short.endsWith('s') ? 3 : 2));
  if ((before !== A && before !== H && before !== T) || short === full || full.length < 3) return false;
  const stem = DIMINUTIVE.exec(short)?.[1];
  if (stem !== undefined) {
    const minClipped = isNameInUse(short) ? Infinity : MIN_CLIPPED;
    return !isOfOtherGender(short, full) && isStemOf(unsoftened(stem), full, minClipped);
  }
  const large = AUGMENTATIVE.exec(short)?.[1];
  return large !== undefined && !isNameInUse(short) && isStemOf(unsoftened(large), full, MIN_CLIPPED);
}

/** Before i, Portuguese writes qu and gu for the sounds that c and g have before other vowels. */
const unsoftened = (stem: string): string => stem.replace(/qu$/, 'c').replace(/gu$/, 'g');

/** True for a diminutive in a of a name in o, and the other way round. Lucas and Jonas are men. */
const isOfOtherGender = (short: string, full: string): boolean =>
  (/as?$/.test(short) && full.endsWith('o')) || (/os?$/.test(short) && full.endsWith('a'));

/**
 * True for the name without its last vowels, for its beginning of at least `minClipped` letters, or for the end of its
 * stem.
 */
function isStemOf(stem: string, full: string, minClipped: number): boolean {
  const sound = stem.replace(/n$/, '[mn]').replace(/j$/, '[jg]');
  const rest = full.length - stem.length;
  if (new RegExp(`^${sound}`).test(full)) {
    return rest <= 2 || (stem.length >= minClipped && givenNames.has(full));
  }
  // Nandinho of Fernando, Tavinho of Otavio: the last letters before the ending.
  return (
    stem.length >= minClipped && givenNames.has(full) && new RegExp(`${sound}[aeiou]{1,2}s?$`).test(full)
  );
}

/** True for three to five letters at the beginning of a longer first name, of one or two syllables. */
const isBeginningOf = (short: string, full: string): boolean =>
  short.length >= MIN_CLIPPED &&
  short.length <= MAX_BEGINNING &&
  full.length - short.length >= 2 &&
  full.startsWith(short) &&
  SYLLABLE_END.test(short) &&
  givenNames.has(full) &&
  !isNameInUse(short);
