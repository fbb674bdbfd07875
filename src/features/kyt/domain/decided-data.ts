import { publicId } from '../../../platform/kernel/ids.js';
import type { Outcome, RecommendedAction, RequestedAction } from '../../rules/index.js';
import type { EventData } from '../../webhooks/index.js';
import { requestedActionViews } from './completed-data.js';
import { verdictOf } from './verdict.js';
import { pick } from '../../../platform/kernel/pick.js';

type Completed = EventData['kyt.transaction.pipeline.completed'];
type CompletedDecision = NonNullable<Completed['decision']>;

/** The fields of a stored decision receipt that views show. */
export interface ReceiptSummary {
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  readonly score: number | null;
  readonly level: Completed['riskLevel'];
  readonly defensible: boolean;
  readonly composition: Completed['composition'];
  readonly components: Readonly<Record<string, unknown>>;
  readonly nonDefensibleReasons: readonly string[];
  readonly notEvaluated: Completed['notEvaluated'];
  readonly exempt: readonly string[];
  /** Only in receipts of transactions that lacked an input which their application does not send. */
  readonly withoutInputs?: readonly string[];
  readonly reasons: Completed['reasons'];
  readonly groups: readonly unknown[];
  readonly dampening: number;
  readonly flags: readonly string[];
  readonly actions: readonly RequestedAction[];
  readonly ruleset: { readonly key: string; readonly version: number; readonly contentHash: string } | null;
  readonly evaluatedAt: string;
}

/** A person's decision about a transaction. */
export interface OperatorDecision {
  readonly reviewId: string;
  readonly outcome: 'APPROVED' | 'REJECTED';
  readonly decidedAt: Date;
  /** True if one person decided alone, because there was nobody independent to approve. */
  readonly singleControl: boolean;
}

/** Returns `defensible` and its reasons after the decision. Under single control the result is never defensible. */
export const defensibilityAfterDecision = (
  { defensible, nonDefensibleReasons }: Pick<ReceiptSummary, 'defensible' | 'nonDefensibleReasons'>,
  decision: Pick<OperatorDecision, 'singleControl'> | null,
): Pick<ReceiptSummary, 'defensible' | 'nonDefensibleReasons'> =>
  decision?.singleControl === true
    ? { defensible: false, nonDefensibleReasons: [...nonDefensibleReasons, 'SINGLE_CONTROL'] }
    : { defensible, nonDefensibleReasons };

export const decisionView = ({ outcome, decidedAt, singleControl }: OperatorDecision): CompletedDecision => ({
  by: 'PERSON',
  outcome,
  decidedAt: decidedAt.toISOString(),
  singleControl,
});

/** Returns the recommended action after a person's decision. */
export const actionAfterDecision = (outcome: string): 'DECLINE' | 'NONE' =>
  outcome === 'REJECTED' ? 'DECLINE' : 'NONE';

/**
 * Returns the event data of a person's decision: the evaluation unchanged, with the decided outcome. An approval by a
 * person does not make an evaluation defensible.
 */
export function decidedData(
  transactionId: string,
  evaluation: { readonly version: number; readonly receipt: string; readonly receiptHash: Buffer },
  decision: OperatorDecision,
): Completed {
  const receipt = JSON.parse(evaluation.receipt) as ReceiptSummary;
  const { reviewId, outcome } = decision;
  return {
    transactionId,
    status: 'COMPLETED',
    verdict: verdictOf(outcome, actionAfterDecision(outcome)),
    nextAction: null,
    outcome,
    recommendedAction: actionAfterDecision(outcome),
    riskScore: receipt.score,
    riskLevel: receipt.level,
    ...defensibilityAfterDecision(receipt, decision),
    ...pick(receipt, 'composition', 'notEvaluated', 'reasons'),
    requestedActions: requestedActionViews(receipt.actions),
    reviewRequired: false,
    reviewId: publicId('rev', reviewId),
    decision: decisionView(decision),
    rulesetVersion: receipt.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
    rulesetHash: receipt.ruleset?.contentHash ?? null,
    evaluationVersion: evaluation.version,
    evaluatedAt: receipt.evaluatedAt,
    receiptHash: evaluation.receiptHash.toString('hex'),
  };
}
