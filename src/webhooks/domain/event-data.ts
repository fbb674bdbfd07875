/**
 * What each event says in `data`. Never a document number, a name or an image. Within an API version members are only
 * ever added; the JSON Schemas that integrators get say the same (`api/webhook-payloads.dto.ts`).
 */
export interface EventData {
  readonly 'kyt.transaction.queued': {
    readonly transactionId: string;
    readonly status: 'QUEUED';
    readonly externalCustomerId: string | null;
    readonly requestId: string;
    readonly correlationId: string;
    readonly receivedAt: string;
  };
  readonly 'kyt.transaction.pipeline.completed': {
    readonly transactionId: string;
    readonly status: 'COMPLETED';
    readonly outcome: 'APPROVED' | 'REVIEW' | 'REJECTED';
    readonly recommendedAction: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';
    /** 0 to 100. */
    readonly riskScore: number | null;
    readonly riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null;
    readonly defensible: boolean;
    readonly composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';
    readonly nonDefensibleReasons: readonly string[];
    readonly reasons: readonly EventReason[];
    readonly reviewRequired: boolean;
    readonly reviewId?: string;
    /** When a person has decided; the evaluation stays what it was. */
    readonly decision?: {
      readonly by: 'PERSON';
      readonly outcome: 'APPROVED' | 'REJECTED';
      readonly decidedAt: string;
    };
    readonly stepUpSessionId?: string;
    /** What rules ask for beside a review, such as a step-up session. */
    readonly requestedActions: readonly Readonly<Record<string, string>>[];
    readonly rulesetVersion: string | null;
    /** SHA-256 of the ruleset's content, in hexadecimal. */
    readonly rulesetHash: string | null;
    readonly evaluationVersion: number;
    readonly evaluatedAt: string;
    /** SHA-256 of the decision receipt, in hexadecimal. */
    readonly receiptHash: string;
  };
  readonly 'kyt.transaction.dead_lettered': {
    readonly transactionId: string;
    readonly status: 'DEAD_LETTERED';
    readonly failure: { readonly code: string; readonly stage: string; readonly attempts: number };
    readonly replayable: boolean;
  };
  readonly 'session.created': {
    readonly sessionId: string;
    readonly status: 'PENDING';
    readonly flowName: string;
    readonly customerId: string;
    readonly trigger: 'OPERATOR' | 'STEP_UP' | 'API';
    readonly expiresAt: string;
  };
  readonly 'session.completed': {
    readonly sessionId: string;
    readonly status: 'COMPLETED' | 'EXPIRED';
    readonly customerId: string;
    /** Left out where there is no score. */
    readonly riskScore?: number;
    readonly outcome?: 'APPROVED' | 'REVIEW' | 'REJECTED';
    readonly defensible?: boolean;
    readonly completedAt: string;
  };
  readonly 'customer.identified': {
    readonly customerId: string;
    readonly externalCustomerId: string | null;
    readonly documentMasked: string | null;
    readonly personType: 'NATURAL' | 'LEGAL';
    readonly assurance: string;
    readonly identifiedBy: string;
  };
}

export interface EventReason {
  readonly ruleId: string;
  readonly version: number;
  readonly points: number;
  readonly observed: string | null;
  readonly threshold: string;
  readonly window: string | null;
  readonly saturated: boolean;
  readonly message: { readonly 'pt-BR': string; readonly en: string };
  readonly legalBasis: readonly {
    readonly norm: string;
    readonly item: string;
    readonly siscoafCode: number | null;
  }[];
}
