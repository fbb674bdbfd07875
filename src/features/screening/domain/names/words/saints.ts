import { familyNames, givenNames } from './names-in-use.js';

/** Words of a saint's form at a place of a name: what they say, and of how many words they consist. */
export interface FoundSaint {
  readonly text: 'saint' | 'lady' | 'lord';
  readonly length: number;
}

const SAINTS: ReadonlySet<string> = new Set(['sao', 'santo', 'santa', 'sto', 'sta', 'san', 'st', 'saint']);
const LADY: ReadonlySet<string> = new Set(['sra', 'senhora', 'snra']);
const OF: ReadonlySet<string> = new Set(['de', 'da', 'do', 'das', 'dos']);

const isSaintly = (text: string | undefined): boolean =>
  text !== undefined && (givenNames.has(text) || familyNames.has(text));

/**
 * Returns the saint's form at a place of an organisation's name: `São`, `S.` before a first name, `N. Sra.`; null if there
 * is none. `Sao`, `Santo` and `Santa` count as one, because the name behind them tells them apart.
 */
export function saintAt(words: readonly string[], at: number): FoundSaint | null {
  const word = words[at] ?? '';
  const next = words[at + 1];
  if (next === undefined) return null;
  if (SAINTS.has(word) || (word === 's' && isSaintly(next))) return { text: 'saint', length: 1 };
  if ((word === 'nossa' || word === 'n') && (LADY.has(next) || next === 's')) {
    return { text: 'lady', length: 2 };
  }
  if (word === 'nsra' || (word === 'ns' && (OF.has(next) || isSaintly(next)))) {
    return { text: 'lady', length: 1 };
  }
  return (word === 'sr' || word === 'senhor') && (OF.has(next) || next === 'bom')
    ? { text: 'lord', length: 1 }
    : null;
}
