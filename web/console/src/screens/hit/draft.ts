import type { Disposition, Hit } from '../../data/hits.js';
import { percent } from '../../texts/formats.js';
import { word } from '../../texts/words.js';
import type { hitTexts } from './texts.js';

// Qualifiers that say that the entry is somebody else.
const AGAINST = /_DIFFERENT$|^NAME_COMMON$/;

/**
 * Writes down what the screen shows, for what the person has chosen: first what speaks for it, then what does not, and
 * where the names differ.
 */
export function draftOf(hit: Hit, choice: Disposition['disposition'], t: (typeof hitTexts)['pt']): string {
  const against = hit.qualifiers.filter((one) => AGAINST.test(one));
  const pros = [
    ...hit.equal.map((one) => t.equalValue(word('listedValue', one))),
    ...hit.qualifiers.filter((one) => !AGAINST.test(one)).map((one) => word('qualifier', one)),
  ];
  const cons = [
    ...against.map((one) => word('qualifier', one)),
    ...hit.alignment
      .filter(({ how }) => how !== 'EXACT')
      .map(({ left, right, how }) => `${left ?? '—'} / ${right ?? '—'} (${word('alignment', how)})`),
  ];
  const [first, second] = choice === 'CONFIRMED' ? [pros, cons] : [cons, pros];
  const sentence = (words: (list: string) => string, list: readonly string[]): string =>
    list.length === 0 ? '' : words(list.join(', '));
  return [
    t.drafted[choice],
    sentence(choice === 'ESCALATED' ? t.speaksAgainst : t.because, first),
    sentence(choice === 'ESCALATED' ? t.speaksFor : t.although, second),
    t.comparedNames(hit.asked ?? '—', hit.found ?? '—', percent(hit.nameScore)),
  ]
    .filter((one) => one !== '')
    .join(' ');
}
