import { publicId } from '../../../platform/kernel/ids.js';
import type { Evaluation, PublishedRuleset, RequestedAction } from '../../rules/index.js';
import type { OpenLink } from '../../sessions/index.js';
import type { EventData } from '../../webhooks/index.js';
import type { ClaimedTransaction } from './claimed.js';
import type { DecisionReceipt } from './receipt.js';
import { verdictOf } from './verdict.js';

export type NextAction = EventData['kyt.transaction.pipeline.completed']['nextAction'];

/** Returns the next action of the customer: the link to the open step-up session, or null if none is open. */
export const nextActionOf = (link: OpenLink | null): NextAction =>
  link && {
    type: 'STEP_UP_SESSION',
    sessionId: link.sessionId,
    url: link.url,
    expiresAt: link.expiresAt.toISOString(),
  };

/** Returns the actions that rules requested and that are not done, in the form for integrators. */
export const requestedActionViews = (
  actions: readonly RequestedAction[],
): Readonly<Record<string, string>>[] =>
  actions.filter(({ status }) => status === 'REQUESTED').map(({ ruleId, action }) => ({ ruleId, ...action }));

/** Returns the data of the event `kyt.transaction.pipeline.completed`. */
export const completedData = (
  { transactionId }: Pick<ClaimedTransaction, 'transactionId'>,
  evaluation: Evaluation,
  ruleset: PublishedRuleset | null,
  evaluationVersion: number,
  receipt: DecisionReceipt,
  evaluatedAt: Date,
  reviewId: string | null,
  link: OpenLink | null,
): EventData['kyt.transaction.pipeline.completed'] => ({
  transactionId,
  status: 'COMPLETED',
  verdict: verdictOf(evaluation.outcome, evaluation.recommendedAction),
  nextAction: nextActionOf(link),
  outcome: evaluation.outcome,
  recommendedAction: evaluation.recommendedAction,
  riskScore: evaluation.score,
  riskLevel: evaluation.level,
  defensible: evaluation.defensible,
  composition: evaluation.composition,
  nonDefensibleReasons: evaluation.nonDefensibleReasons,
  notEvaluated: evaluation.notEvaluated,
  reasons: evaluation.reasons,
  requestedActions: requestedActionViews(evaluation.actions),
  reviewRequired: evaluation.outcome === 'REVIEW' || reviewId !== null,
  ...(reviewId === null ? {} : { reviewId: publicId('rev', reviewId) }),
  ...(link === null ? {} : { stepUpSessionId: link.sessionId }),
  rulesetVersion: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
  rulesetHash: ruleset?.contentHash ?? null,
  evaluationVersion,
  evaluatedAt: evaluatedAt.toISOString(),
  receiptHash: receipt.hash.toString('hex'),
});
