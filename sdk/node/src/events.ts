/** A known value, or one that a later release added: enumerations are open. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export interface TransactionQueued {
  readonly transactionId: string;
  readonly status: Open<'QUEUED'>;
  readonly externalCustomerId: string | null;
  readonly requestId: string;
  readonly correlationId: string;
  readonly receivedAt: string;
}

export interface ScoreReason {
  readonly ruleId: string;
  readonly version: number;
  readonly reasonCode: string;
  readonly points: number;
  readonly observed: string | null;
  readonly threshold: string;
  readonly window: string | null;
  /** True when the observed value is a lower bound. */
  readonly saturated: boolean;
  readonly message: { readonly 'pt-BR': string; readonly en: string };
  readonly legalBasis: readonly {
    readonly norm: string;
    readonly item: string;
    readonly siscoafCode: number | null;
  }[];
}

/** What the customer of a transaction has to do. */
export interface NextAction {
  readonly type: Open<'STEP_UP_SESSION'>;
  /** Whoever holds it can use the session: keep it on the server. */
  readonly sessionId: string;
  /** The page for the customer; as secret as the id. */
  readonly url: string;
  readonly expiresAt: string;
}

export interface PersonsDecision {
  readonly by: Open<'PERSON'>;
  readonly outcome: Open<'APPROVED' | 'REJECTED'>;
  readonly decidedAt: string;
  /** One person decided alone, because nobody independent was there. */
  readonly singleControl: boolean;
}

export interface TransactionCompleted {
  readonly transactionId: string;
  readonly status: Open<'COMPLETED'>;
  /** The one field to act on. Take a value that you do not know for HOLD. */
  readonly verdict: Open<'RELEASE' | 'CHALLENGE' | 'HOLD' | 'DECLINE'>;
  readonly nextAction: NextAction | null;
  /**
   * CHALLENGED: the customer has to be verified. REVIEW: an analyst has to decide. The end comes as this event again, with
   * the next sequence.
   */
  readonly outcome: Open<'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED'>;
  readonly recommendedAction: Open<'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE'>;
  /** 0 to 100; informational only unless `defensible`. */
  readonly riskScore: number | null;
  readonly riskLevel: Open<'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'> | null;
  readonly defensible: boolean;
  readonly composition: Open<'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT'>;
  readonly nonDefensibleReasons: readonly string[];
  /** Live rules that could not tell, and the inputs that they lacked. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly missing: readonly string[] }[];
  readonly reasons: readonly ScoreReason[];
  readonly reviewRequired: boolean;
  readonly reviewId?: string;
  /** When a person has decided: `outcome` is theirs, the evaluation stays what it was. */
  readonly decision?: PersonsDecision;
  /** The session that a rule asked for. */
  readonly stepUpSessionId?: string;
  /** What rules ask for beside a review. */
  readonly requestedActions: readonly Readonly<Record<string, string>>[];
  readonly rulesetVersion: string | null;
  /** SHA-256 of the ruleset, in hexadecimal. */
  readonly rulesetHash: string | null;
  readonly evaluationVersion: number;
  readonly evaluatedAt: string;
  readonly receiptHash: string;
}

export interface TransactionDeadLettered {
  readonly transactionId: string;
  readonly status: Open<'DEAD_LETTERED'>;
  readonly failure: { readonly code: string; readonly stage: string; readonly attempts: number };
  readonly replayable: boolean;
}

export interface SessionCreated {
  /** Whoever holds it can use the session: keep it on the server. */
  readonly sessionId: string;
  readonly status: Open<'PENDING'>;
  readonly flowName: string;
  readonly customerId: string;
  readonly trigger: Open<'OPERATOR' | 'STEP_UP' | 'API' | 'COMPANY' | 'REVERIFICATION'>;
  readonly expiresAt: string;
  /** The session of the company whose owner or representative this one is for. */
  readonly parentReference?: string;
}

/** Single steps are asked for again, on the same link. */
export interface SessionReopened {
  /** Whoever holds it can use the session: keep it on the server. */
  readonly sessionId: string;
  readonly status: Open<'PENDING'>;
  readonly customerId: string;
  /** Which time this is; three at most. */
  readonly round: number;
  readonly steps: readonly { readonly stepId: string; readonly code: string }[];
  readonly expiresAt: string;
}

export interface SessionCompleted {
  readonly sessionId: string;
  readonly status: Open<'COMPLETED' | 'EXPIRED'>;
  readonly customerId: string;
  readonly riskScore?: number;
  readonly outcome?: Open<'APPROVED' | 'REVIEW' | 'REJECTED'>;
  readonly defensible?: boolean;
  readonly completedAt: string;
}

export interface CustomerIdentified {
  readonly customerId: string;
  readonly externalCustomerId: string | null;
  readonly documentMasked: string | null;
  readonly personType: Open<'NATURAL' | 'LEGAL'>;
  readonly assurance: string;
  readonly identifiedBy: string;
}

/** The type of `data`, by event. */
export interface WebhookEventData {
  readonly 'kyt.transaction.queued': TransactionQueued;
  readonly 'kyt.transaction.pipeline.completed': TransactionCompleted;
  readonly 'kyt.transaction.dead_lettered': TransactionDeadLettered;
  readonly 'session.created': SessionCreated;
  readonly 'session.reopened': SessionReopened;
  readonly 'session.completed': SessionCompleted;
  readonly 'customer.identified': CustomerIdentified;
}

export type WebhookEventType = keyof WebhookEventData;

/** One event: `switch (event.type)` narrows `event.data`. */
export type WebhookEvent = {
  [T in WebhookEventType]: {
    /** Stable over retries and recoveries: process each id once. */
    readonly id: string;
    readonly type: T;
    readonly timestamp: string;
    readonly apiVersion: string;
    readonly environment: string;
    /** Grows per resource: drop an event that is older than the last one seen of its resource. */
    readonly sequence: number;
    readonly correlationId: string;
    /** True for an event that somebody sent to try the endpoint. */
    readonly test: boolean;
    readonly audit: object | null;
    readonly data: WebhookEventData[T];
  };
}[WebhookEventType];
