import type { DeadLetterDiscardEntity } from '../store/entities/dead-letter-discard.entity.js';
import type { KytTransactionEntity } from '../store/entities/kyt-transaction.entity.js';
import type { KytWorkEntity } from '../store/entities/kyt-work.entity.js';

/** A dead transaction as operators see it. */
export interface DeadLetterRecord
  extends
    Readonly<Pick<KytWorkEntity, 'transactionRef' | 'attempts' | 'generation' | 'queuedAt' | 'discardedAt'>>,
    Readonly<Pick<KytTransactionEntity, 'clientAppId' | 'transactionId' | 'type' | 'receivedAt'>> {
  readonly code: string;
  readonly stage: string;
}

/** One dead letter of a transaction: when the transaction is replayed and fails again, that is another one. */
export type DeadLetterRef = Pick<DeadLetterRecord, 'transactionRef' | 'generation'>;

export interface DeadLetterFilter {
  readonly code?: string | undefined;
  readonly stage?: string | undefined;
  readonly type?: string | undefined;
  readonly discarded?: boolean | undefined;
}

/** A request to discard many: each transaction with the generation that is meant. */
export type DiscardRequest = Readonly<DeadLetterDiscardEntity>;
