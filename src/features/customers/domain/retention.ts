import { LocalDays } from '../../../platform/kernel/values/local-day.js';

/** Records are kept for 10 years, counted from 1 January of the year after (Circular BCB 3.978/2020, art. 67). */
export const RETENTION_YEARS = 10;

const brazil = new LocalDays();

/** The facts that decide how long a customer's records have to be kept. */
export interface RetentionFacts {
  /** The time of the last operation; null when there never was one. */
  readonly lastOperationAt: Date | null;
  /** `YYYY-MM-DD`; null while the relationship lasts, or when it never began. */
  readonly relationshipEndedOn: string | null;
}

/**
 * `until` is the first day after retention, `YYYY-MM-DD`; null while the relationship lasts, or if there never was one.
 */
export type Retention =
  { readonly until: string } | { readonly until: null; readonly why: 'RELATIONSHIP' | 'NO_RELATIONSHIP' };

const afterYear = (year: number): string => `${year + 1 + RETENTION_YEARS}-01-01`;

/**
 * Returns the first day on which the records may be destroyed: counted from the end of the relationship or from the
 * last operation, whichever is later. If there was neither, nothing must be kept.
 */
export function retentionOf({ lastOperationAt, relationshipEndedOn }: RetentionFacts): Retention {
  if (relationshipEndedOn === null) {
    return { until: null, why: lastOperationAt ? 'RELATIONSHIP' : 'NO_RELATIONSHIP' };
  }
  const endYear = Number(relationshipEndedOn.slice(0, 4));
  const operated = lastOperationAt ? brazil.dayOf(lastOperationAt.getTime()).year : endYear;
  return { until: afterYear(Math.max(endYear, operated)) };
}

/** True if the law lets the records be destroyed on this day. */
export const mayBeErased = (retention: Retention, today: string): boolean =>
  retention.until === null ? retention.why === 'NO_RELATIONSHIP' : retention.until <= today;
