import { LocalDays } from '../../../platform/kernel/values/local-day.js';

/** Records are kept for 10 years, counted from 1 January of the year after (Circular BCB 3.978/2020, art. 67). */
export const RETENTION_YEARS = 10;

const brazil = new LocalDays();

/** The facts that decide how long a customer's records have to be kept. */
export interface RetentionFacts {
  /** When the last operation took place; null when there never was one. */
  readonly lastOperationAt: Date | null;
  /** `YYYY-MM-DD`; null while the relationship lasts, or when it never began. */
  readonly relationshipEndedOn: string | null;
}

/** Until when: a day (`YYYY-MM-DD`), or as long as the relationship lasts and ten years more, or not at all. */
export type Retention =
  { readonly until: string } | { readonly until: null; readonly why: 'RELATIONSHIP' | 'NO_RELATIONSHIP' };

const afterYear = (year: number): string => `${year + 1 + RETENTION_YEARS}-01-01`;

/**
 * The first day on which the records may be destroyed: of the relationship counted from its end, of operations from
 * when they took place, whichever is later. Somebody with whom nothing ever came about has nothing that must be kept.
 */
export function retentionOf({ lastOperationAt, relationshipEndedOn }: RetentionFacts): Retention {
  if (relationshipEndedOn === null) {
    return { until: null, why: lastOperationAt ? 'RELATIONSHIP' : 'NO_RELATIONSHIP' };
  }
  const ended = Number(relationshipEndedOn.slice(0, 4));
  const operated = lastOperationAt ? brazil.dayOf(lastOperationAt.getTime()).year : ended;
  return { until: afterYear(Math.max(ended, operated)) };
}

/** Whether the law lets the records be destroyed on this day. */
export const mayBeErased = (retention: Retention, today: string): boolean =>
  retention.until === null ? retention.why === 'NO_RELATIONSHIP' : retention.until <= today;
