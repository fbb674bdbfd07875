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

/** What decides whether a disposition of one hit holds for another about the same person and the same entry. */
export interface JoinableHit {
  readonly status: HitStatus;
  readonly entryHash: string;
  readonly mandatory: boolean;
}

/**
 * What two hits about one person and one entry say together, now that two records are one: of two dispositions the more
 * cautious one. What somebody has decided holds for the hit that waits as well, but not a dismissal of what forced no
 * decision for what forces one, and not an escalation, which leaves the question open. Null: each keeps what it says.
 */
export function jointly(one: JoinableHit, other: JoinableHit): Disposition | null {
  if (one.entryHash !== other.entryHash) return null;
  const statuses = [one.status, other.status];
  if (statuses.includes('CONFIRMED')) return 'CONFIRMED';
  if (!statuses.includes('PENDING')) {
    return statuses.includes('ESCALATED') ? 'ESCALATED' : 'DISMISSED_FALSE_POSITIVE';
  }
  const [waiting, decided] = one.status === 'PENDING' ? [one, other] : [other, one];
  if (decided.status !== 'DISMISSED_FALSE_POSITIVE') return null;
  return waiting.mandatory && !decided.mandatory ? null : 'DISMISSED_FALSE_POSITIVE';
}

/** What becomes of a hit that is found again: nothing, or it waits again because the entry says something else now. */
export function whenSeenAgain(
  known: { readonly status: HitStatus; readonly entryHash: string },
  entryHash: string,
): 'UNCHANGED' | 'REOPENED' {
  return known.entryHash === entryHash ? 'UNCHANGED' : 'REOPENED';
}
