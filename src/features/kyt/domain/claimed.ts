import { publicId } from '../../../platform/kernel/ids.js';
import type { SelectedFor } from '../../rules/index.js';
import type { Submission } from './submission/submission.js';

/** A stored transaction without the columns that repeat its body. */
export interface StoredTransaction {
  readonly id: string;
  readonly seq: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly source: 'INGEST' | 'LEGACY';
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly documentKey: Buffer | null;
  /** By the document where it names one, else by the institution's id, else by the account. */
  readonly customerKey: Buffer | null;
  /** By the institution's id. */
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

/** A transaction that this worker holds the lease of. */
export interface ClaimedTransaction extends StoredTransaction {
  /** Grows with each claim; a commit under an older fence has no effect. */
  readonly fence: number;
  readonly attempt: number;
  /** 1, and one more with each replay of a dead letter. */
  readonly generation: number;
  /** The end of the transaction's audit chain; null when the chain is gone. */
  readonly trailEnd: { readonly seq: number; readonly hash: Buffer; readonly firstHash: Buffer } | null;
}

/** A claimed transaction with its body opened. */
export interface OpenTransaction extends ClaimedTransaction {
  readonly body: Readonly<Record<string, unknown>>;
  readonly submission: Submission;
}

/** The transaction as the choice among rulesets sees it. */
export const rulesetSelectionOf = ({
  submission,
  clientAppId,
  customerKey,
}: OpenTransaction): SelectedFor => ({
  type: submission.type,
  clientApp: publicId('app', clientAppId),
  customerKey,
});

/**
 * The sequence of the event that ends this generation. The events before it are `queued`, and for each earlier
 * generation a dead letter; a replay is no event but has its place in the trail. Equal to the place of the audit entry
 * that goes with it, yet not taken from there: a trail that lost entries must not make two events claim one place.
 */
export const finalEventSequence = ({ generation }: Pick<ClaimedTransaction, 'generation'>): number =>
  2 * generation;

/** A cooldown runs from the earlier transaction to the later one, whichever was claimed first. */
export const compareByOccurrence = (
  batch: readonly OpenTransaction[],
): { readonly transaction: OpenTransaction; readonly i: number }[] =>
  batch
    .map((transaction, i) => ({ transaction, i }))
    .sort((a, b) => a.transaction.occurredAt.getTime() - b.transaction.occurredAt.getTime());
