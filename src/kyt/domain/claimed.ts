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
  readonly sealedBody: Buffer;
  readonly requestId: string;
  readonly correlationId: string;
  /** Grows with each claim; a commit under an older fence has no effect. */
  readonly fence: number;
  readonly attempt: number;
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
