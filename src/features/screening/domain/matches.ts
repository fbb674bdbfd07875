import { valueKey, type ExactIndex } from './search/exact-index.js';
import type { KeptMatches } from './search/kept-matches.js';
import type { Candidate } from './search/list-segment.js';
import type { MatchedList, Match, ScreenedParty } from './party.js';

/** A list to search, with the index of its values. */
interface SearchedList {
  readonly row: MatchedList;
  readonly exact: ExactIndex;
  readonly ofOne: ReadonlySet<string>;
}

export function toMatches(
  party: ScreenedParty,
  lists: readonly SearchedList[],
  found: readonly KeptMatches<Candidate>[] | null,
): readonly Match[] {
  if (found === null) return [];
  return lists.flatMap(({ row }, i) =>
    (found[i]?.candidates ?? []).map((candidate) => ({ party, list: row, equal: [], ...candidate })),
  );
}

/** Returns the matches by values, not names: the document, account, wallet, device or address is on a list. */
export function findExactMatches(party: ScreenedParty, lists: readonly SearchedList[], day: string): Match[] {
  const matches = new Map<string, Match>();
  const values = party.values.map((value) => ({ value, name: valueKey(value) }));
  for (const { row, exact, ofOne } of lists) {
    if (exact.size === 0) continue;
    for (const { value, name } of values) {
      for (const { entryId, entryHash } of exact.find(value, day, name)) {
        const knownMatch = matches.get(entryId);
        matches.set(entryId, {
          entryId,
          entryHash,
          score: 1,
          nameScore: 0,
          strength: 'DOCUMENT',
          qualifiers: [value.type === 'DOCUMENT' ? 'DOCUMENT_EQUAL' : 'VALUE_EQUAL'],
          mandatory: row.kind === 'SANCTIONS' || row.kind === 'PEP' || row.kind === 'BLOCKLIST',
          name: '',
          alignment: [],
          party,
          list: row,
          equal: [...(knownMatch?.equal ?? []), value.type],
          isOfOne: ofOne.has(entryId),
        });
      }
    }
  }
  return [...matches.values()];
}
