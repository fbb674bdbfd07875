import { publicId } from '../../../platform/kernel/ids.js';
import type { SelectedFor } from '../../rules/index.js';
import type { Submission } from './submission/submission.js';
import type { KytTransactionEntity } from '../store/entities/kyt-transaction.entity.js';
import type { KytWorkEntity } from '../store/entities/kyt-work.entity.js';

/** A transaction that this worker holds the lease of. */
export interface ClaimedTransaction extends Claimable {
  /** Grows with each claim; a commit under an older fence has no effect. */
  readonly fence: KytWorkEntity['fence'];
  readonly attempt: KytWorkEntity['attempts'];
  /** 1, and one more with each replay of a dead letter. */
  readonly generation: KytWorkEntity['generation'];
  /** The end of the transaction's audit chain; null when the chain is gone. */
  readonly trailEnd: { readonly seq: number; readonly hash: Buffer; readonly firstHash: Buffer } | null;
}

/** A stored transaction without what its body says as well. */
type Claimable = Readonly<
  Omit<
    KytTransactionEntity,
    | 'type'
    | 'cash'
    | 'channel'
    | 'amount'
    | 'currency'
    | 'direction'
    | 'directionSource'
    | 'fingerprint'
    | 'warnings'
    | 'originCountry'
    | 'destinationCountry'
    | 'velocityEntry'
    | 'receivedSpan'
  >
>;

/** A claimed transaction with its body opened. */
export interface OpenTransaction extends ClaimedTransaction {
  readonly body: Readonly<Record<string, unknown>>;
  readonly submission: Submission;
}

/** The transaction as the choice among rulesets sees it. */
export const selectedFor = ({ submission, clientAppId, customerKey }: OpenTransaction): SelectedFor => ({
  type: submission.type,
  clientApp: publicId('app', clientAppId),
  customerKey,
});

/**
 * The sequence of the event that ends this generation. The events before it are `queued`, and for each earlier
 * generation a dead letter; a replay is no event but has its place in the trail. Equal to the place of the audit entry
 * that goes with it, yet not taken from there: a trail that lost entries must not make two events claim one place.
 */
export const endingSequence = ({ generation }: Pick<ClaimedTransaction, 'generation'>): number =>
  2 * generation;

/** A cooldown runs from the earlier transaction to the later one, whichever was claimed first. */
export const inOrderOfOccurrence = (
  batch: readonly OpenTransaction[],
): { readonly transaction: OpenTransaction; readonly i: number }[] =>
  batch
    .map((transaction, i) => ({ transaction, i }))
    .sort((a, b) => a.transaction.occurredAt.getTime() - b.transaction.occurredAt.getTime());
