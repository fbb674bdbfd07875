import type { AlertFacts } from './alert.js';
import type { Priority, ReviewKind, Theme } from './review.js';

/** Something that a person has to look at. */
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
  /** The session that asks: the id of its row, not its capability. */
  readonly sessionRef?: string;
  /** Hits that are among the reasons. */
  readonly hitIds?: readonly string[];
  /** The look-back that found what nobody saw then: an alert of its own beside what the transaction lacked. */
  readonly lookBack?: string;
  /** A possible sanction is among the reasons: somebody has to look within the hour. */
  readonly sanctions?: boolean;
  readonly priority: Priority;
  /** Where the case waits; the queue of its kind unless named. */
  readonly queue?: string;
  readonly riskScore: number | null;
  /** Nothing is known of it when they are left out. */
  readonly facts?: AlertFacts;
  /** When the operation took place, from which its selection is counted. */
  readonly occurredAt: Date;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** The cases that exist when a request comes. */
export interface KnownCases {
  /** Cases that take new alerts, by organisation, customer and theme. */
  readonly collecting: ReadonlyMap<string, string>;
  /** Cases that are not closed, by organisation and transaction. */
  readonly about: ReadonlyMap<string, string>;
  /** Cases of evaluations and sessions that asked before, closed or not, by `askedKey`. */
  readonly asked: ReadonlyMap<string, string>;
}

/** The plan for a request: a case of its own, a place in an open one, or nothing new. */
export interface Plan {
  readonly request: ReviewRequest;
  readonly reviewId: string;
  readonly fate: 'OPENS' | 'JOINS' | 'STANDS';
  /**
   * True when the case is about the very thing that asks: news about it belong there, also when work on it has begun or
   * the case is full.
   */
  readonly own: boolean;
  /** Whether the case, when it opens, takes later alerts about the customer. */
  readonly collects: boolean;
}

export const caseKey = (organisationId: string, id: string): string => `${organisationId}|${id}`;
export const collectingKey = (organisationId: string, customerId: string, theme: Theme): string =>
  `${organisationId}|${customerId}|${theme}`;
/** An evaluation of a transaction, or a session: what it came to (no version), or what it lacks (`LACKING`). */
export const askedKey = (organisationId: string, id: string, version: number | null): string =>
  `${organisationId}|${id}|${version ?? ''}`;

/** In place of a version: the case about what is missing in a session, beside the one about its result. */
export const LACKING = 0;

function askedBy(request: ReviewRequest): string | null {
  const { organisationId, kind, transaction, sessionRef, reopens, lookBack } = request;
  // A person may ask as often as they like, and a look-back asks for what has no case.
  if (kind === 'MANUAL' || reopens !== undefined || lookBack !== undefined) return null;
  if (transaction) return askedKey(organisationId, transaction.ref, transaction.evaluationVersion);
  if (sessionRef === undefined) return null;
  return askedKey(organisationId, sessionRef, kind === 'DATA_GAP' ? LACKING : null);
}

/**
 * Decides for each request whether it opens a case. Another evaluation of a transaction joins the case that is open
 * about it; who asks twice is told the same case. Else what a transaction says of a customer joins the case of that
 * customer and theme, so that somebody who is noticed a hundred times is looked at once. A request that names no
 * customer cannot be grouped; a session, a case that a person opens or one that is taken up again stands by itself.
 */
export function planOpenings(
  requests: readonly ReviewRequest[],
  known: KnownCases,
  newId: () => string,
): Plan[] {
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
