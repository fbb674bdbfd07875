import { publicId } from '../../kernel/ids.js';
import type { Evaluation, PublishedRuleset, RequestedAction } from '../../rules/index.js';
import type { EventData } from '../../webhooks/index.js';
import type { ClaimedTransaction } from './claimed.js';
import type { DecisionReceipt } from './receipt.js';

/** What is to be done beside a review, as integrators read it. */
export const requestedOf = (actions: readonly RequestedAction[]): Readonly<Record<string, string>>[] =>
  actions.filter(({ status }) => status === 'REQUESTED').map(({ ruleId, action }) => ({ ruleId, ...action }));

/** What integrators are told about a completed evaluation. */
export const completedData = (
  { transactionId }: Pick<ClaimedTransaction, 'transactionId'>,
  evaluation: Evaluation,
  ruleset: PublishedRuleset | null,
  evaluationVersion: number,
  receipt: DecisionReceipt,
  evaluatedAt: Date,
  reviewId: string | null,
  stepUpSessionId: string | null,
): EventData['kyt.transaction.pipeline.completed'] => ({
  transactionId,
  status: 'COMPLETED',
  outcome: evaluation.outcome,
  recommendedAction: evaluation.recommendedAction,
  riskScore: evaluation.score,
  riskLevel: evaluation.level,
  defensible: evaluation.defensible,
  composition: evaluation.composition,
  nonDefensibleReasons: evaluation.nonDefensibleReasons,
  reasons: evaluation.reasons,
  requestedActions: requestedOf(evaluation.actions),
  reviewRequired: evaluation.outcome === 'REVIEW' || reviewId !== null,
  ...(reviewId === null ? {} : { reviewId: publicId('rev', reviewId) }),
  ...(stepUpSessionId === null ? {} : { stepUpSessionId }),
  rulesetVersion: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
  rulesetHash: ruleset?.contentHash ?? null,
  evaluationVersion,
  evaluatedAt: evaluatedAt.toISOString(),
  receiptHash: receipt.hash.toString('hex'),
});
