import type { ListRow } from '../records.js';

// A list that loses more than this share of its entries has more likely lost half its file.
const SHRINK_LIMIT = 0.2;

/** Days over which losses that nobody confirmed count together: many small ones are a large one. */
export const SHRINK_DAYS = 30;

// Without one of these kinds nobody is on no list.
const BEGUN_BY_TWO: ReadonlySet<ListRow['kind']> = new Set(['SANCTIONS', 'PEP']);

/**
 * Why no operator begins a list alone: half a file of it would clear everybody who stands in the other half. Whoever runs
 * the installation begins lists from the command line.
 */
export const beginning = ({ kind, entries }: Pick<ListRow, 'kind' | 'entries'>): 'LIST_BEGINS' | null =>
  BEGUN_BY_TWO.has(kind) && entries === 0 ? 'LIST_BEGINS' : null;

/**
 * Why no operator takes away or changes a single entry alone: whoever uploads a file may have left one name out, and that
 * person is cleared. What an import adds only holds somebody.
 */
export const losing = (
  { kind }: Pick<ListRow, 'kind'>,
  { changed, removed }: Readonly<Record<'changed' | 'removed', number>>,
): 'LIST_LOSES' | null => (kind !== 'ALLOWLIST' && changed + removed > 0 ? 'LIST_LOSES' : null);

/**
 * Why nobody publishes a snapshot alone, the command line included: a list that clears people grows, or one that finds them loses what it finds. An
 * entry that says something else now finds somebody else, as far as anybody knows.
 */
export function weakening(
  { kind, entries }: Pick<ListRow, 'kind' | 'entries'>,
  { added, changed, removed }: Readonly<Record<'added' | 'changed' | 'removed', number>>,
  lostLately: number,
): 'LIST_ALLOWS' | 'LIST_SHRINKS' | null {
  if (kind === 'ALLOWLIST') return added + changed > 0 ? 'LIST_ALLOWS' : null;
  const lost = removed + changed + lostLately;
  return lost > (entries + lostLately) * SHRINK_LIMIT ? 'LIST_SHRINKS' : null;
}
