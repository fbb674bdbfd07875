import { sheetOf, subjectTypes, type SubjectType } from '../../../sheets.js';

/**
 * Subject types whose entries may be pruned: their retention starts with the entry itself (Circular BCB 3.978/2020,
 * art. 67: ten years from 1 January of the next year). Entries of other types stay: the retention of identity records
 * starts when the relationship ends, and erasure destroys their keys; settings may be in use; entries about the log
 * prove all changes to it.
 */
export const PRUNABLE: readonly SubjectType[] = subjectTypes.filter((type) => sheetOf(type).isPrunable);

/** Returns the start of the retention period at `now`: entries recorded before it may be pruned. */
export function retentionStart(now: Date, years: number): Date {
  // 1 January, 00:00 in Brasília: UTC-3, without summer time since 2019.
  const local = new Date(now.getTime() - 3 * 3_600_000);
  return new Date(Date.UTC(local.getUTCFullYear() - years, 0, 1, 3));
}

/** Formats leaf indices for the entry about a pruning: sorted, as `4` or `7-9`. */
export function formatLeafRanges(indices: readonly number[]): string[] {
  const runs: { from: number; to: number }[] = [];
  for (const index of indices.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === index - 1) last.to = index;
    else runs.push({ from: index, to: index });
  }
  return runs.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
}

/** True if a range contains the index; a malformed range contains nothing. */
export function isInRanges(ranges: readonly string[], index: number): boolean {
  return ranges.some((range) => {
    const match = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(range);
    if (!match) return false;
    const from = Number(match[1]);
    return from <= index && index <= (match[2] === undefined ? from : Number(match[2]));
  });
}
