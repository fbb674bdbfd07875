import { machine } from '../../kernel/machine.js';

export const hitStatuses = ['PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'] as const;
export type HitStatus = (typeof hitStatuses)[number];
export type Disposition = Exclude<HitStatus, 'PENDING'>;

/** What may be decided about a hit. A decision stands until the entry changes. */
export const hitFlow = machine<HitStatus>({
  PENDING: ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'],
  ESCALATED: ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE'],
  CONFIRMED: [],
  DISMISSED_FALSE_POSITIVE: [],
});

/** What becomes of a hit that is found again: nothing, or it waits again because the entry says something else now. */
export function whenSeenAgain(
  known: { readonly status: HitStatus; readonly entryHash: string },
  entryHash: string,
): 'UNCHANGED' | 'REOPENED' {
  return known.entryHash === entryHash ? 'UNCHANGED' : 'REOPENED';
}
