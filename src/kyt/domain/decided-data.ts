import { publicId } from '../../kernel/ids.js';
import type { RequestedAction } from '../../rules/index.js';
import type { EventData } from '../../webhooks/index.js';
import { requestedOf } from './completed-data.js';
import { verdictOf } from './verdict.js';
import type { KytDecisionEntity } from '../store/entities/kyt-decision.entity.js';

type Completed = EventData['kyt.transaction.pipeline.completed'];

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

/** The decision about a transaction. */
export type PersonsDecision = Readonly<Pick<KytDecisionEntity, 'reviewId' | 'outcome' | 'decidedAt'>>;

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
  { reviewId, outcome, decidedAt }: PersonsDecision,
): Completed {
  const receipt = JSON.parse(evaluation.receipt) as StoredReceipt;
  return {
    transactionId,
    status: 'COMPLETED',
    verdict: verdictOf(outcome, actionAfter(outcome)),
    nextAction: null,
    outcome,
    recommendedAction: actionAfter(outcome),
    riskScore: receipt.score,
    riskLevel: receipt.level,
    defensible: receipt.defensible,
    composition: receipt.composition,
    nonDefensibleReasons: receipt.nonDefensibleReasons,
    notEvaluated: receipt.notEvaluated,
    reasons: receipt.reasons,
    requestedActions: requestedOf(receipt.actions),
    reviewRequired: false,
    reviewId: publicId('rev', reviewId),
    decision: { by: 'PERSON', outcome, decidedAt: decidedAt.toISOString() },
    rulesetVersion: receipt.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
    rulesetHash: receipt.ruleset?.contentHash ?? null,
    evaluationVersion: evaluation.version,
    evaluatedAt: receipt.evaluatedAt,
    receiptHash: evaluation.receiptHash.toString('hex'),
  };
}
