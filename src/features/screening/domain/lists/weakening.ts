import type { ListRow } from '../records.js';

// If a list loses more than this share of its entries, the file is probably incomplete.
const SHRINK_LIMIT = 0.2;

/** Unconfirmed losses are summed over this many days: many small losses are a large one. */
export const SHRINK_DAYS = 30;

// Kinds of lists whose first import needs two people. Before it, screening reports NO_LISTS, and so clears nobody; the
// import ends that.
const BEGUN_BY_TWO: ReadonlySet<ListRow['kind']> = new Set(['SANCTIONS', 'PEP']);

/**
 * Returns why an operator may not make the first import of a list alone: an incomplete file would clear everybody who
 * is missing in it. The command line may.
 */
export const reasonAgainstFirstImport = ({
  kind,
  entries,
}: Pick<ListRow, 'kind' | 'entries'>): 'LIST_BEGINS' | null =>
  BEGUN_BY_TWO.has(kind) && entries === 0 ? 'LIST_BEGINS' : null;

/**
 * Returns why an operator may not remove or change even one entry alone: a person who is missing in the file is
 * cleared. An added entry clears nobody.
 */
export const reasonAgainstChanges = (
  { kind }: Pick<ListRow, 'kind'>,
  { changed, removed }: Readonly<Record<'changed' | 'removed', number>>,
): 'LIST_LOSES' | null => (kind !== 'ALLOWLIST' && changed + removed > 0 ? 'LIST_LOSES' : null);

/**
 * Returns why nobody may publish a snapshot alone, not even on the command line: an allow list grows or changes, or
 * another list loses too many entries. A changed entry counts as lost: it may no longer match the same person.
 */
export function approvalReasonOfImport(
  { kind, entries }: Pick<ListRow, 'kind' | 'entries'>,
  { added, changed, removed }: Readonly<Record<'added' | 'changed' | 'removed', number>>,
  lostLately: number,
): 'LIST_ALLOWS' | 'LIST_SHRINKS' | null {
  if (kind === 'ALLOWLIST') return added + changed > 0 ? 'LIST_ALLOWS' : null;
  const lost = removed + changed + lostLately;
  return lost > (entries + lostLately) * SHRINK_LIMIT ? 'LIST_SHRINKS' : null;
}
