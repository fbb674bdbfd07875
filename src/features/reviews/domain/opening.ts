import type { AlertFacts } from './alert.js';
import type { Priority, ReviewKind, Theme } from './review.js';

export interface CaseAlert {
  readonly organisationId: string;
  readonly kind: ReviewKind;
  readonly theme: Theme;
  readonly customerId: string | null;
  readonly clientAppId: string | null;
  /** The evaluation that raised the alert, and all hits about the parties of its transaction (default: none). */
  readonly transaction?: {
    readonly ref: string;
    readonly evaluationVersion: number;
    readonly hitIds?: readonly string[];
  };
  /** The closed case that this one reopens. */
  readonly reopens?: string;
  /** The internal id of the session that raised the alert, not the secret id in its link. */
  readonly sessionRef?: string;
  /** The hits that a person has to decide. */
  readonly hitIds?: readonly string[];
  /**
   * The look-back that raised the alert. Its cases are opened even if an earlier case about missing data has the
   * transaction.
   */
  readonly lookBack?: string;
  /** True if a possible sanctions hit is among the reasons: it must be looked at within one hour. */
  readonly sanctions?: boolean;
  readonly priority: Priority;
  /** Default: the queue of the kind of case. */
  readonly queue?: string;
  readonly riskScore: number | null;
  /** Default: NO_FACTS. */
  readonly facts?: AlertFacts;
  /** The time of the transaction or session; the selection deadline counts from it. */
  readonly occurredAt: Date;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/**
 * The id of the person that a case is about: the customer, or else the hit of the listed party, which all payments to
 * that party share. Null if neither is known.
 */
export function caseSubjectOf({ customerId, hitIds = [] }: CaseAlert): string | null {
  return customerId ?? [...hitIds].sort()[0] ?? null;
}

/** The existing cases that the requests may match. */
export interface ExistingCases {
  /** Ids of cases that accept new alerts, keyed by `collectingKey`. */
  readonly collecting: ReadonlyMap<string, string>;
  /** Ids of cases that are not closed, keyed by `caseKey` of the transaction. */
  readonly about: ReadonlyMap<string, string>;
  /** Ids of open or closed cases that the same evaluation or session requested before, keyed by `requestKey`. */
  readonly asked: ReadonlyMap<string, string>;
}

/** OPENS: a new case. JOINS: the alert is added to an open case. STANDS: the request already has its case. */
export interface OpeningPlan {
  readonly request: CaseAlert;
  readonly reviewId: string;
  readonly fate: 'OPENS' | 'JOINS' | 'STANDS';
  /**
   * True if the case is about the same transaction or session: the alert is then added even if the case is full or in
   * analysis.
   */
  readonly own: boolean;
  /** True if later alerts about the customer are added to the new case. */
  readonly collects: boolean;
}

export const caseKey = (organisationId: string, id: string): string => `${organisationId}|${id}`;
export const collectingKey = (organisationId: string, subject: string, theme: Theme): string =>
  `${organisationId}|${subject}|${theme}`;
/**
 * Identifies a request for a case: by an evaluation, by a session's result (null version) or by its missing data
 * (`LACKING`).
 */
export const requestKey = (organisationId: string, id: string, version: number | null): string =>
  `${organisationId}|${id}|${version ?? ''}`;

/** The version that stands for missing data of a session: they get a case of their own. */
export const LACKING = 0;

function requestKeyOf(request: CaseAlert): string | null {
  const { organisationId, kind, transaction, sessionRef, reopens, lookBack } = request;
  // These requests are never repeated: operators may open any number of cases, and a look-back requests cases only for
  // alerts without a case.
  if (kind === 'MANUAL' || reopens !== undefined || lookBack !== undefined) return null;
  if (transaction) return requestKey(organisationId, transaction.ref, transaction.evaluationVersion);
  if (sessionRef === undefined) return null;
  return requestKey(organisationId, sessionRef, kind === 'DATA_GAP' ? LACKING : null);
}

/**
 * Decides for each request whether it opens a case. A repeated request gets the same case; another evaluation of a
 * transaction is added to the open case about it. Otherwise an alert about a transaction is added to the case of its
 * subject and theme, so that a customer with 100 alerts is reviewed once. A request without a subject cannot be
 * grouped; sessions, cases opened by operators and reopened cases are never grouped.
 */
export function planOpenings(
  requests: readonly CaseAlert[],
  known: ExistingCases,
  newId: () => string,
): OpeningPlan[] {
  const collecting = new Map(known.collecting);
  const reviewByPlace = new Map(known.about);
  const reviewByRequest = new Map(known.asked);
  return requests.map((request) => {
    const { organisationId, kind, theme, transaction } = request;
    const subject = caseSubjectOf(request);
    const before = requestKeyOf(request);
    const stands = before === null ? undefined : reviewByRequest.get(before);
    if (stands !== undefined) {
      return { request, reviewId: stands, fate: 'STANDS', own: true, collects: false };
    }
    const isAbout = transaction && kind !== 'MANUAL' && request.lookBack === undefined;
    const place = isAbout ? caseKey(organisationId, transaction.ref) : null;
    const shared =
      kind !== 'MANUAL' &&
      subject !== null &&
      request.sessionRef === undefined &&
      request.reopens === undefined
        ? collectingKey(organisationId, subject, theme)
        : null;
    const ownReview = place === null ? undefined : reviewByPlace.get(place);
    const openReview = ownReview ?? (shared === null ? undefined : collecting.get(shared));
    const reviewId = openReview ?? newId();
    if (before !== null) reviewByRequest.set(before, reviewId);
    if (place !== null) reviewByPlace.set(place, reviewId);
    if (shared !== null && ownReview === undefined) collecting.set(shared, reviewId);
    const fate = openReview === undefined ? 'OPENS' : 'JOINS';
    return { request, reviewId, fate, own: ownReview !== undefined, collects: shared !== null };
  });
}
