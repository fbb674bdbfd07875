import type { ListRow } from '../records.js';

// A list that loses more than this share of its entries has more likely lost half its file.
const SHRINK_LIMIT = 0.2;

/** Days over which losses that nobody confirmed count together: many small ones are a large one. */
export const SHRINK_DAYS = 30;

/** Why nobody publishes a snapshot alone: a list that clears people grows, or one that finds them loses what it finds. */
export function weakening(
  { kind, entries }: Pick<ListRow, 'kind' | 'entries'>,
  { added, changed, removed }: Readonly<Record<'added' | 'changed' | 'removed', number>>,
  removedLately: number,
): 'LIST_ALLOWS' | 'LIST_SHRINKS' | null {
  if (kind === 'ALLOWLIST') return added + changed > 0 ? 'LIST_ALLOWS' : null;
  return removed + removedLately > (entries + removedLately) * SHRINK_LIMIT ? 'LIST_SHRINKS' : null;
}
