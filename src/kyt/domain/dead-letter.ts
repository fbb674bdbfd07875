/** A dead transaction as operators see it. */
export interface DeadLetterRecord {
  readonly transactionRef: string;
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly type: string;
  readonly code: string;
  readonly stage: string;
  readonly attempts: number;
  readonly generation: number;
  readonly receivedAt: Date;
  readonly queuedAt: Date;
  readonly discardedAt: Date | null;
}

/** One death of a transaction: replayed and dead again, it is another one. */
export type Death = Pick<DeadLetterRecord, 'transactionRef' | 'generation'>;

export interface DeadLetterFilter {
  readonly code?: string | undefined;
  readonly stage?: string | undefined;
  readonly type?: string | undefined;
  readonly discarded?: boolean | undefined;
}

export interface DiscardRequest {
  readonly id: string;
  readonly status: 'REQUESTED' | 'APPROVED' | 'WITHDRAWN';
  readonly reason: string;
  readonly count: number;
  readonly deaths: readonly Death[];
  readonly discarded: number | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}
