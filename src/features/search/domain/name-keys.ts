import type { BlindIndex } from '../../../platform/privacy/index.js';

export interface WordWithSound {
  readonly text: string;
  readonly fold: string;
}

const BEGINNING_FROM = 3;
const BEGINNING_TO = 8;
// Minimum length of words that get typo keys: a shorter word without one letter is another word.
const SLIPS_FROM = 4;
/** Longer words are cut to this many letters. */
const SLIPS_TO = 12;

/** Returns the text without each of its letters in turn. */
function withoutOne(text: string): string[] {
  return Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
}

/**
 * Returns the keys that a word shares with its typos. A missing, additional, wrong or swapped letter leaves both words
 * with a common key: one of the words itself, or without one of its letters.
 */
function typoKeysOf(text: string): string[] {
  if (text.length < SLIPS_FROM) return [];
  const head = text.slice(0, SLIPS_TO);
  return [`d${head}`, ...withoutOne(head).map((one) => `d${one}`)];
}

/** Returns the keys under which a word of a name is stored. */
export function storedKeys({ text, fold }: WordWithSound): string[] {
  const beginnings: string[] = [];
  for (let n = BEGINNING_FROM; n <= Math.min(text.length, BEGINNING_TO); n += 1) {
    beginnings.push(`p${text.slice(0, n)}`);
  }
  return [...new Set([`s${fold}`, ...beginnings, ...typoKeysOf(text)])];
}

/** Returns the keys under which a typed word is looked up. */
export function queryKeys({ text, fold }: WordWithSound): string[] {
  const beginning = text.length < BEGINNING_FROM ? [] : [`p${text.slice(0, BEGINNING_TO)}`];
  return [...new Set([`s${fold}`, ...beginning, ...typoKeysOf(text)])];
}

/** Returns the keyed hash of a word, different in each organisation. */
export const wordToken = (index: BlindIndex, organisationId: string, { text }: WordWithSound): Buffer =>
  index.computeUncached(organisationId, 'name-word', text);

export const hashKeys = (index: BlindIndex, organisationId: string, keys: readonly string[]): Buffer[] =>
  keys.map((key) => index.computeUncached(organisationId, 'name-key', key));
