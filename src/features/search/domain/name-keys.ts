import type { BlindIndex } from '../../../platform/privacy/index.js';

/** A word as it is written and as it sounds. */
export interface SpokenWord {
  readonly text: string;
  readonly fold: string;
}

const BEGINNING_FROM = 3;
const BEGINNING_TO = 8;
// A short word with a letter left out is another word.
const SLIPS_FROM = 4;
/** The first letters have to do where a word is longer. */
const SLIPS_TO = 12;

/** Takes each of the letters out, one at a time. */
function withoutOne(text: string): string[] {
  return Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
}

/**
 * A slip of the hand leaves a letter out, adds one, takes a wrong one or changes two about; in each case the two words
 * have something in common that has one letter less than the longer of them, or as many as both.
 */
function slipsOf(text: string): string[] {
  if (text.length < SLIPS_FROM) return [];
  const head = text.slice(0, SLIPS_TO);
  return [`d${head}`, ...withoutOne(head).map((one) => `d${one}`)];
}

/** Everything that a stored word is found by. */
export function storedKeys({ text, fold }: SpokenWord): string[] {
  const beginnings: string[] = [];
  for (let n = BEGINNING_FROM; n <= Math.min(text.length, BEGINNING_TO); n += 1) {
    beginnings.push(`p${text.slice(0, n)}`);
  }
  return [...new Set([`s${fold}`, ...beginnings, ...slipsOf(text)])];
}

/** Everything under which a word that somebody asks for is looked up. */
export function askedKeys({ text, fold }: SpokenWord): string[] {
  const beginning = text.length < BEGINNING_FROM ? [] : [`p${text.slice(0, BEGINNING_TO)}`];
  return [...new Set([`s${fold}`, ...beginning, ...slipsOf(text)])];
}

/** The keyed hash of a word: it needs the key of the organisation, and never meets that of another one. */
export const wordToken = (index: BlindIndex, organisationId: string, { text }: SpokenWord): Buffer =>
  index.once(organisationId, 'name-word', text);

export const keyTokens = (index: BlindIndex, organisationId: string, keys: readonly string[]): Buffer[] =>
  keys.map((key) => index.once(organisationId, 'name-key', key));
