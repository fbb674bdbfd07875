import type { ListRow } from '../records.js';

// A list that loses more than this share of its entries has more likely lost half its file.
const SHRINK_LIMIT = 0.2;

/** Days over which losses that nobody confirmed are summed: many small losses are a large one. */
export const SHRINK_DAYS = 30;

// Without a list of these kinds, screening answers NO_LISTS and clears nobody.
const BEGUN_BY_TWO: ReadonlySet<ListRow['kind']> = new Set(['SANCTIONS', 'PEP']);

/**
 * Returns why no operator may begin a list alone: half a file would clear everybody in the other half. The command line
 * may begin a list.
 */
export const reasonAgainstFirstImport = ({
  kind,
  entries,
}: Pick<ListRow, 'kind' | 'entries'>): 'LIST_BEGINS' | null =>
  BEGUN_BY_TWO.has(kind) && entries === 0 ? 'LIST_BEGINS' : null;

/**
 * Returns why no operator may remove or change even one entry alone: a name left out of the file clears that person.
 * Added entries only hold somebody.
 */
export const reasonAgainstChanges = (
  { kind }: Pick<ListRow, 'kind'>,
  { changed, removed }: Readonly<Record<'changed' | 'removed', number>>,
): 'LIST_LOSES' | null => (kind !== 'ALLOWLIST' && changed + removed > 0 ? 'LIST_LOSES' : null);

/**
 * Returns why nobody may publish a snapshot alone, not even on the command line: an allow list grows or changes, or
 * another list loses too many entries. A changed entry counts as lost: it may find somebody else.
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
