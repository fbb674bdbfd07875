import { publicId } from '../../../platform/kernel/ids.js';
import type { RequestedAction } from '../../rules/index.js';
import type { EventData } from '../../webhooks/index.js';
import { requestedOf } from './completed-data.js';
import { verdictOf } from './verdict.js';

type Completed = EventData['kyt.transaction.pipeline.completed'];
type ShownDecision = NonNullable<Completed['decision']>;

/** The parts of a stored decision receipt that the event of a decision repeats. */
interface StoredReceipt {
  readonly score: number | null;
  readonly level: Completed['riskLevel'];
  readonly defensible: boolean;
  readonly composition: Completed['composition'];
  readonly nonDefensibleReasons: readonly string[];
  readonly notEvaluated: Completed['notEvaluated'];
  readonly reasons: Completed['reasons'];
  readonly actions: readonly RequestedAction[];
  readonly ruleset: { readonly key: string; readonly version: number; readonly contentHash: string } | null;
  readonly evaluatedAt: string;
}

/** A person's decision about a transaction. */
export interface PersonsDecision {
  readonly reviewId: string;
  readonly outcome: 'APPROVED' | 'REJECTED';
  readonly decidedAt: Date;
  /** True if one person decided alone, because nobody independent was there. */
  readonly singleControl: boolean;
}

/** Returns whether the result is defensible after the decision: under single control it never is. */
export const defenceAfter = (
  { defensible, nonDefensibleReasons }: Pick<StoredReceipt, 'defensible' | 'nonDefensibleReasons'>,
  decision: Pick<PersonsDecision, 'singleControl'> | null,
): Pick<StoredReceipt, 'defensible' | 'nonDefensibleReasons'> =>
  decision?.singleControl === true
    ? { defensible: false, nonDefensibleReasons: [...nonDefensibleReasons, 'SINGLE_CONTROL'] }
    : { defensible, nonDefensibleReasons };

export const shownDecision = ({ outcome, decidedAt, singleControl }: PersonsDecision): ShownDecision => ({
  by: 'PERSON',
  outcome,
  decidedAt: decidedAt.toISOString(),
  singleControl,
});

/** Returns the action that follows a person's decision. */
export const actionAfter = (outcome: string): 'DECLINE' | 'NONE' =>
  outcome === 'REJECTED' ? 'DECLINE' : 'NONE';

/**
 * Returns the event data of a person's decision: the evaluation unchanged, with another outcome. A score that could not
 * be defended stays so; that a person approved it does not make it defensible.
 */
export function decidedData(
  transactionId: string,
  evaluation: { readonly version: number; readonly receipt: string; readonly receiptHash: Buffer },
  decision: PersonsDecision,
): Completed {
  const receipt = JSON.parse(evaluation.receipt) as StoredReceipt;
  const { reviewId, outcome } = decision;
  return {
    transactionId,
    status: 'COMPLETED',
    verdict: verdictOf(outcome, actionAfter(outcome)),
    nextAction: null,
    outcome,
    recommendedAction: actionAfter(outcome),
    riskScore: receipt.score,
    riskLevel: receipt.level,
    ...defenceAfter(receipt, decision),
    composition: receipt.composition,
    notEvaluated: receipt.notEvaluated,
    reasons: receipt.reasons,
    requestedActions: requestedOf(receipt.actions),
    reviewRequired: false,
    reviewId: publicId('rev', reviewId),
    decision: shownDecision(decision),
    rulesetVersion: receipt.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
    rulesetHash: receipt.ruleset?.contentHash ?? null,
    evaluationVersion: evaluation.version,
    evaluatedAt: receipt.evaluatedAt,
    receiptHash: evaluation.receiptHash.toString('hex'),
  };
}
