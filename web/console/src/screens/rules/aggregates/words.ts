import { word } from '../../../texts/words.js';
import type { Aggregate } from '../data.js';

/** Tells an aggregate in a line: "sum of amountBrl by customer, 30d, where cash". */
export const wordsOf = (one: Aggregate): string =>
  [
    word('aggregate', one.function),
    one.percentile === undefined ? null : `${one.percentile}%`,
    one.of ?? null,
    one.by === undefined ? null : `· ${one.by}`,
    one.window === undefined ? null : `· ${one.window}`,
    one.offset === undefined ? null : `(−${one.offset})`,
    one.where === undefined ? null : `· ${one.where}`,
  ]
    .filter(Boolean)
    .join(' ');
