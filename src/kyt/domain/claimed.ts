import type { IngestSource } from '../prepared-transaction.js';
import type { Submission } from './submission.js';

/** A transaction that this worker holds the lease of. */
export interface ClaimedTransaction {
  readonly id: string;
  readonly seq: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly source: IngestSource;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly customerKey: Buffer | null;
  readonly deviceKey: Buffer | null;
  readonly ipKey: Buffer | null;
  readonly counterpartyKey: Buffer | null;
  readonly sealedBody: Buffer;
  readonly requestId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  /** Grows with each claim; a commit under an older fence has no effect. */
  readonly fence: number;
  readonly attempt: number;
  /** 1, and one more with each replay of a dead letter. */
  readonly generation: number;
  /** Hash that the stored transaction committed to for its first audit entry. */
  readonly trailHash: Buffer;
  /** The end of the transaction's audit chain; null when the chain is gone. */
  readonly trailEnd: { readonly seq: number; readonly hash: Buffer; readonly firstHash: Buffer } | null;
}

/** A claimed transaction with its body opened. */
export interface OpenTransaction extends ClaimedTransaction {
  readonly body: Readonly<Record<string, unknown>>;
  readonly submission: Submission;
}

/**
 * The sequence of the event that ends this generation. The events before it are `queued`, and for each earlier
 * generation a dead letter; a replay is no event but has its place in the trail. Equal to the place of the audit entry
 * that goes with it, yet not taken from there: a trail that lost entries must not make two events claim one place.
 */
export const endingSequence = ({ generation }: Pick<ClaimedTransaction, 'generation'>): number =>
  2 * generation;
