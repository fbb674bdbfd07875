import { publicId } from '../../../platform/kernel/ids.js';
import type { SelectionKey } from '../../rules/index.js';
import type { Submission } from './submission/submission.js';

/** A stored transaction without the columns that repeat its body. */
export interface StoredTransactionColumns {
  readonly id: string;
  readonly seq: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly source: 'INGEST' | 'LEGACY';
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly documentKey: Buffer | null;
  /** Blind index of the document; if there is none, of the institution's id; else of the account. */
  readonly customerKey: Buffer | null;
  /** Blind index of the institution's id of the customer. */
  readonly externalKey: Buffer | null;
  readonly accountKey: Buffer | null;
  readonly deviceKey: Buffer | null;
  readonly ipKey: Buffer | null;
  readonly counterpartyKey: Buffer | null;
  readonly cardKey: Buffer | null;
  readonly sealedBody: Buffer;
  readonly requestId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly trailHash: Buffer;
}

/** A transaction under the lease of this worker. */
export interface ClaimedTransaction extends StoredTransactionColumns {
  /** Grows with each claim; a commit under an older fence has no effect. */
  readonly fence: number;
  readonly attempt: number;
  /** 1, and one more with each replay of a dead letter. */
  readonly generation: number;
  /**
   * The last entry of the transaction's audit chain (`seq`, `hash`), and the hash of the first entry; null if the chain
   * is missing.
   */
  readonly trailEnd: { readonly seq: number; readonly hash: Buffer; readonly firstHash: Buffer } | null;
}

export interface DecryptedTransaction extends ClaimedTransaction {
  readonly body: Readonly<Record<string, unknown>>;
  readonly submission: Submission;
}

/** Returns the properties that select the ruleset of a transaction. */
export const selectionKeyOf = ({
  submission,
  clientAppId,
  customerKey,
}: DecryptedTransaction): SelectionKey => ({
  type: submission.type,
  clientApp: publicId('app', clientAppId),
  customerKey,
});

/**
 * Returns the sequence number of the event that ends this generation. The numbers before it belong to `queued` and, for
 * each earlier generation, to a dead letter and a replay (which is no event, but takes a number). The number is
 * computed and not read from the audit entry with the same number: after a loss of entries, two events must not get the
 * same number.
 */
export const finalEventSequence = ({ generation }: Pick<ClaimedTransaction, 'generation'>): number =>
  2 * generation;

/**
 * Returns a batch in the order of occurrence, with the place of each transaction in the batch: a cooldown starts at the
 * transaction that occurred first.
 */
export const orderByOccurrence = (
  batch: readonly DecryptedTransaction[],
): { readonly transaction: DecryptedTransaction; readonly i: number }[] =>
  batch
    .map((transaction, i) => ({ transaction, i }))
    .sort((a, b) => a.transaction.occurredAt.getTime() - b.transaction.occurredAt.getTime());
