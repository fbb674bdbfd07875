import type { AlertFacts } from './alert.js';
import type { Priority, ReviewKind, Theme } from './review.js';

/** A request for a case: an alert that a person has to look at. */
export interface ReviewRequest {
  readonly organisationId: string;
  readonly kind: ReviewKind;
  readonly theme: Theme;
  readonly customerId: string | null;
  readonly clientAppId: string | null;
  /** The evaluation that asks. */
  readonly transaction?: { readonly ref: string; readonly evaluationVersion: number };
  /** The closed case that this one takes up again. */
  readonly reopens?: string;
  /** The row id of the session that asks, not the secret id of its link. */
  readonly sessionRef?: string;
  readonly hitIds?: readonly string[];
  /** The look-back that found the alert: a new one, beside a case about data that the transaction lacked. */
  readonly lookBack?: string;
  /** True if a possible sanction is among the reasons: somebody has to look within the hour. */
  readonly sanctions?: boolean;
  readonly priority: Priority;
  /** The queue of the case; that of its kind when left out. */
  readonly queue?: string;
  readonly riskScore: number | null;
  /** NO_FACTS when left out. */
  readonly facts?: AlertFacts;
  /** The time of the operation, from which the selection deadline is counted. */
  readonly occurredAt: Date;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** The cases that exist before the requests. */
export interface KnownCases {
  /** Cases that take new alerts, by organisation, customer and theme. */
  readonly collecting: ReadonlyMap<string, string>;
  /** Cases that are not closed, by organisation and transaction. */
  readonly about: ReadonlyMap<string, string>;
  /** Cases of evaluations and sessions that asked before, closed or not, by `requestKey`. */
  readonly asked: ReadonlyMap<string, string>;
}

/** The plan for a request: a case of its own, a place in an open one, or nothing new. */
export interface OpeningPlan {
  readonly request: ReviewRequest;
  readonly reviewId: string;
  readonly fate: 'OPENS' | 'JOINS' | 'STANDS';
  /**
   * True if the case is about the same transaction or session: another alert about it joins, also after work on the case
   * has begun or when it is full.
   */
  readonly own: boolean;
  /** True if a new case takes later alerts about the customer. */
  readonly collects: boolean;
}

export const caseKey = (organisationId: string, id: string): string => `${organisationId}|${id}`;
export const collectingKey = (organisationId: string, customerId: string, theme: Theme): string =>
  `${organisationId}|${customerId}|${theme}`;
/** The key of an evaluation, or of a session: of its result (null version) or of its missing data (`LACKING`). */
export const requestKey = (organisationId: string, id: string, version: number | null): string =>
  `${organisationId}|${id}|${version ?? ''}`;

/** Stands for a version: the case about missing data of a session, beside the one about its result. */
export const LACKING = 0;

function askedBy(request: ReviewRequest): string | null {
  const { organisationId, kind, transaction, sessionRef, reopens, lookBack } = request;
  // A person may open any number of cases, and a look-back asks only for alerts without a case.
  if (kind === 'MANUAL' || reopens !== undefined || lookBack !== undefined) return null;
  if (transaction) return requestKey(organisationId, transaction.ref, transaction.evaluationVersion);
  if (sessionRef === undefined) return null;
  return requestKey(organisationId, sessionRef, kind === 'DATA_GAP' ? LACKING : null);
}

/**
 * Decides for each request whether it opens a case. A repeated request gets the same case; another evaluation of a
 * transaction joins the open case about it. Otherwise an alert about a transaction joins the case of its customer and
 * theme, so that a customer with a hundred alerts is looked at once. A request without a customer cannot be grouped;
 * a session, a case that a person opens and a reopened case stand by themselves.
 */
export function planOpenings(
  requests: readonly ReviewRequest[],
  known: KnownCases,
  newId: () => string,
): OpeningPlan[] {
  const collecting = new Map(known.collecting);
  const about = new Map(known.about);
  const asked = new Map(known.asked);
  return requests.map((request) => {
    const { organisationId, customerId, kind, theme, transaction } = request;
    const before = askedBy(request);
    const stands = before === null ? undefined : asked.get(before);
    if (stands !== undefined) {
      return { request, reviewId: stands, fate: 'STANDS', own: true, collects: false };
    }
    const isAbout = transaction && kind !== 'MANUAL' && request.lookBack === undefined;
    const place = isAbout ? caseKey(organisationId, transaction.ref) : null;
    const shared =
      kind !== 'MANUAL' &&
      customerId !== null &&
      request.sessionRef === undefined &&
      request.reopens === undefined
        ? collectingKey(organisationId, customerId, theme)
        : null;
    const own = place === null ? undefined : about.get(place);
    const standing = own ?? (shared === null ? undefined : collecting.get(shared));
    const reviewId = standing ?? newId();
    if (before !== null) asked.set(before, reviewId);
    if (place !== null) about.set(place, reviewId);
    if (shared !== null && own === undefined) collecting.set(shared, reviewId);
    const fate = standing === undefined ? 'OPENS' : 'JOINS';
    return { request, reviewId, fate, own: own !== undefined, collects: shared !== null };
  });
}
