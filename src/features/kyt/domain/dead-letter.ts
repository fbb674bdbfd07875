/** The work of a transaction that is not attempted any more. */
export interface DeadLetteredWork {
  readonly transactionRef: string;
  readonly attempts: number;
  readonly generation: number;
  readonly queuedAt: Date;
  readonly discardedAt: Date | null;
}

/** A dead letter as operators see it. */
export interface DeadLetterRecord extends DeadLetteredWork {
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly type: string;
  /** Exact decimal. */
  readonly amount: string;
  readonly currency: string;
  readonly receivedAt: Date;
  readonly code: string;
  readonly stage: string;
}

/** Identifies a dead letter. After a replay, a transaction can have another dead letter, of the next generation. */
export type DeadLetterRef = Pick<DeadLetterRecord, 'transactionRef' | 'generation'>;

export interface DeadLetterFilter {
  readonly code?: string | undefined;
  readonly stage?: string | undefined;
  readonly type?: string | undefined;
  readonly discarded?: boolean | undefined;
}

/** A request to discard dead letters: `generations` has the generation of each transaction in `transactionRefs`. */
export interface DiscardRequest {
  readonly id: string;
  readonly organisationId: string;
  readonly status: 'REQUESTED' | 'APPROVED' | 'WITHDRAWN';
  readonly reason: string;
  readonly transactionRefs: readonly string[];
  readonly discarded: number | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly generations: readonly number[];
}
