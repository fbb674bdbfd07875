import { machine } from '../../../platform/kernel/machine.js';

export const hitStatuses = ['PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'] as const;
export type HitStatus = (typeof hitStatuses)[number];
export type Disposition = Exclude<HitStatus, 'PENDING'>;

/** The status changes that a decision may make. Expiry, a changed entry or two people reopen a closed hit. */
export const hitFlow = machine<HitStatus>({
  PENDING: ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'],
  ESCALATED: ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE'],
  CONFIRMED: [],
  DISMISSED_FALSE_POSITIVE: [],
});

/** Returns the states that may change to a disposition. */
export const statusesBefore = (to: Disposition): HitStatus[] =>
  hitStatuses.filter((from) => hitFlow.allows(from, to));

/** True if two people must decide: the disposition closes a mandatory hit. */
export const needsSecondPerson = ({ mandatory }: { readonly mandatory: boolean }, to: HitStatus): boolean =>
  mandatory && (to === 'CONFIRMED' || to === 'DISMISSED_FALSE_POSITIVE');

/** The parts of a hit that `mergeDispositions` compares. */
export interface MergeableHit {
  readonly status: HitStatus;
  readonly entryHash: string;
}

/**
 * Returns the disposition that two hits about one person and one entry get in a merge of customers; null if each
 * keeps its own. A confirmation wins, then an escalation over a dismissal. A dismissal is never taken over.
 */
export function mergeDispositions(one: MergeableHit, other: MergeableHit): 'CONFIRMED' | 'ESCALATED' | null {
  if (one.entryHash !== other.entryHash) return null;
  const statuses = [one.status, other.status];
  if (statuses.includes('CONFIRMED')) return 'CONFIRMED';
  return statuses.includes('ESCALATED') && !statuses.includes('PENDING') ? 'ESCALATED' : null;
}

/** How long a dismissal is remembered. */
export const REMEMBERED_DAYS = 365;

/** The part of a stored hit that decides whether a new match reopens it. */
export interface RememberedDisposition {
  readonly status: HitStatus;
  readonly entryHash: string;
  readonly mandatory: boolean;
  readonly expiresAt: Date | null;
}

/**
 * Returns a new match's effect on a stored hit. REOPENED if the entry has changed, the dismissal has expired, or the
 * hit is mandatory now and was closed when it was not.
 */
export function dispositionWhenMatchedAgain(
  known: RememberedDisposition,
  now: { readonly entryHash: string; readonly mandatory: boolean; readonly at: Date },
): 'UNCHANGED' | 'REOPENED' {
  if (known.entryHash !== now.entryHash) return 'REOPENED';
  if (known.expiresAt !== null && known.expiresAt <= now.at) return 'REOPENED';
  const weaker = now.mandatory && !known.mandatory && needsSecondPerson({ mandatory: true }, known.status);
  return weaker ? 'REOPENED' : 'UNCHANGED';
}
