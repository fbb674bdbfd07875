import { table } from '../../../../../platform/kernel/table.js';
import anyAscii from 'any-ascii';
import { hanKey } from './han.js';

/** A transliterated word, with the code of the token that it may become. */
export interface ScriptWord {
  /** For a Chinese character: its sound, then its `hanKey`. */
  readonly text: string;
  readonly code: 'N' | 'A' | 'H' | 'C' | 'K';
  /** True for a letter with a full stop, or for one of several letters in a row. */
  readonly dotted: boolean;
}

const HAN = /^[\u3400-\u4dbf\u4e00-\u9fff]+$/;
const HANGUL = /^[\uac00-\ud7af]+$/;
// Maximum number of syllables of a name: a longer run is an organisation, or a foreign name written by its sound.
const MAX_SYLLABLES = 4;
const ARABIC_ARTICLE = '\u0627\u0644';

// Long vowels and their carriers, which the transliteration omits although they distinguish Rashid from Rushd.
const TA_MARBUTA = /\u0629/g;
const ALEPHS = /[\u0622\u0623\u0625\u0627\u0671\u05d0]/g;

// "Abd" (servant of), written as one word or two, with the article of the next word.
const SERVANT = /^\u0639\u0628\u062f(?=\u0627\u0644.{2})/;
const SERVANT_OF_GOD = /^\u0639\u0628\u062f\u0627\u0644\u0644[\u0647\u06c1]$/;

const SERVANT_APART = /(^|\s)\u0639\u0628\u062f\s+(?=\u0627\u0644)/g;

/** Joins "Abd" with the next word: `عبد الله` is one name, with and without the space. */
export const joinAbdNames = (text: string): string =>
  text.includes('\u0639\u0628\u062f') ? text.replace(SERVANT_APART, '$1\u0639\u0628\u062f') : text;

// Words with a role of their own in a name, as transliterated.
const NAMED: Readonly<Record<string, string>> = table({
  bn: 'bin',
  abn: 'bin',
  wld: 'ould',
  bnt: 'bint',
  bd: 'abdul',
});

export function consonantWords(chunk: string): ScriptWord[] {
  if (SERVANT_OF_GOD.test(chunk)) return [toWord('abdullah', 'N')];
  if (SERVANT.test(chunk)) return [toWord('abdul', 'N'), toWord(consonantsOf(chunk.slice(5)), 'A')];
  if (chunk.startsWith(ARABIC_ARTICLE) && chunk.length > 4) {
    const rest = consonantsOf(chunk.slice(2));
    return rest === '' ? [] : [toWord('al', 'N'), toWord(rest, 'A')];
  }
  const text = consonantsOf(chunk);
  if (text === '') return [];
  if (text.length === 1) return [{ text, code: 'N', dotted: true }];
  const namedConsonants = NAMED[text];
  return [namedConsonants === undefined ? toWord(text, 'A') : toWord(namedConsonants, 'N')];
}

const consonantsOf = (chunk: string): string =>
  anyAscii(chunk.replace(ALEPHS, 'a').replace(TA_MARBUTA, 'a'))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/**
 * Splits Chinese and Korean names into syllables, one per character, because another character is another name. A dot
 * separates the parts of a foreign name, which are compared by sound only.
 */
export function syllableWords(chunk: string, foreign: boolean): ScriptWord[] {
  const syllables = anyAscii(chunk)
    .replace(/[^A-Za-z0-9]/g, '')
    .split(/(?=[A-Z])/)
    .filter((syllable) => syllable !== '')
    .map((syllable) => syllable.toLowerCase());
  const [family, ...given] = syllables;
  if (family === undefined) return [];
  const native = HAN.test(chunk) && syllables.length === chunk.length ? 'C' : HANGUL.test(chunk) ? 'K' : null;
  if (native !== null && !foreign && syllables.length <= MAX_SYLLABLES) {
    const characters = native === 'C' ? Array.from(chunk, hanKey) : [];
    return syllables.map((text, i) => toWord(text + (characters[i] ?? ''), native));
  }
  const parts = foreign || given.length === 0 ? [syllables.join('')] : [family, given.join('')];
  return parts.map((text) => toWord(text, 'H'));
}

const toWord = (text: string, code: ScriptWord['code']): ScriptWord => ({ text, code, dotted: false });

const LATIN = /[a-z]/i;
const CYRILLIC = /[\u0400-\u04ff]/;
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Array.from('АВЕКМНОРСТУХаеорсухіѕј', (letter, i) => [letter, 'ABEKMHOPCTYXaeopcyxisj'.charAt(i)]),
);

const LOOKALIKE = new RegExp(`^[${[...LOOKALIKES.keys()].join('')}\\P{L}]+$`, 'u');

/**
 * Replaces Cyrillic lookalikes in words that also have Latin letters, and then also in words that consist of lookalikes
 * only.
 */
export function normaliseLookalikes(text: string): string {
  if (!(LATIN.test(text) && CYRILLIC.test(text))) return text;
  const words = text.split(/(\s+)/);
  if (!words.some(isMixed)) return text;
  return words
    .map((word) =>
      isMixed(word) || LOOKALIKE.test(word)
        ? word.replace(/[\u0400-\u04ff]/g, (letter) => LOOKALIKES.get(letter) ?? letter)
        : word,
    )
    .join('');
}

const isMixed = (word: string): boolean => LATIN.test(word) && CYRILLIC.test(word);

const TWICE = /[\u00c2-\u00c5\u00d0\u00d1][\u0080-\u00bf\u0152-\u2122]/;
// Windows-1252 has these characters where Latin-1 has control characters (bytes 0x80 to 0x9f).
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Undoes a double UTF-8 encoding; null if there was none. */
export function repairDoubleUtf8(text: string): string | null {
  if (!TWICE.test(text)) return null;
  const bytes = Array.from(text, (letter) => {
    const at = WINDOWS.indexOf(letter);
    return at < 0 ? (letter.codePointAt(0) ?? 0) : 0x80 + at;
  });
  if (bytes.some((byte) => byte > 0xff)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
