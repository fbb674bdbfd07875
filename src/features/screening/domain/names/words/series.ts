import { numberWords, tens } from './vocabulary.js';

/** A number at a place of a name, and of how many words it consists. */
export interface FoundNumber {
  readonly value: number;
  readonly length: number;
}

const ROMAN: ReadonlyMap<string, number> = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((text, i) => [text, i + 1] as const),
);

const digitOf = (text: string): number | undefined => (/^[1-9]$/.test(text) ? Number(text) : undefined);

/**
 * Returns the number at a place of an organisation's name: in digits, in words, or in Roman digits behind another word.
 * A single letter is a number only where nothing but the legal form follows (`isLast`).
 */
export function numberAt(words: readonly string[], at: number, isLast: boolean): FoundNumber | null {
  const word = words[at];
  if (word === undefined) return null;
  const digits = /^([0-9]+)(?:st|nd|rd|th|o|a)?$/.exec(word)?.[1];
  if (digits !== undefined && digits.length <= 9) return { value: Number(digits), length: 1 };
  const ten = tens.get(word);
  const next = words[at + 1];
  if (ten !== undefined) {
    const unit = next === undefined ? undefined : (numberWords.get(next) ?? digitOf(next));
    return unit !== undefined && unit > 0 && unit < 10
      ? { value: ten + unit, length: 2 }
      : { value: ten, length: 1 };
  }
  const roman = at > 0 && (word.length > 1 || isLast) ? ROMAN.get(word) : undefined;
  const value = numberWords.get(word) ?? roman;
  return value === undefined ? null : { value, length: 1 };
}

const COMPASS: ReadonlyMap<string, string> = new Map(
  (
    [
      ['N', 'norte north northern setentrional'],
      ['S', 'sul sur south southern meridional'],
      ['E', 'leste este east eastern oriental'],
      ['W', 'oeste west western ocidental occidental'],
      ['NE', 'nordeste noreste northeast northeastern'],
      ['SE', 'sudeste sureste southeast southeastern'],
      ['NW', 'noroeste northwest northwestern'],
      ['SW', 'sudoeste suroeste southwest southwestern'],
    ] as const
  ).flatMap(([point, spellings]) => spellings.split(' ').map((word) => [word, point] as const)),
);

/** Returns the point of the compass that a word names, in any of the languages; undefined for other words. */
export const compassPoint = (text: string): string | undefined => COMPASS.get(text);
