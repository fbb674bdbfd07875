import { publicId } from '../../../../platform/kernel/ids.js';
import type { OpenLink } from '../../../sessions/index.js';
import { nextActionOf, requestedActionViews, type NextAction } from '../completed-data.js';
import {
  actionAfterDecision,
  defensibilityAfterDecision,
  decisionView,
  type OperatorDecision,
  type ReceiptSummary,
} from '../decided-data.js';
import type { TransactionStatus } from '../status.js';
import { verdictOf } from '../verdict.js';
import { pick } from '../../../../platform/kernel/pick.js';

/** A stored transaction with its newest evaluation: the source of the answer to its integrator. */
export interface TransactionRecord {
  readonly id: string;
  readonly transactionId: string;
  readonly status: TransactionStatus;
  readonly requestId: string;
  readonly correlationId: string;
  readonly warnings: readonly string[];
  readonly receivedAt: Date;
  readonly occurredAt: Date;
  readonly failure: TransactionFailure | null;
  readonly evaluation: {
    readonly version: number;
    readonly receipt: string;
    readonly receiptHash: Buffer;
    readonly evaluatedAt: Date;
  } | null;
  /** The decision of a person about this evaluation. */
  readonly decision: OperatorDecision | null;
}

export interface TransactionFailure {
  readonly code: string;
  readonly stage: string;
  readonly attempts: number;
}

/** A live rule without a result, because facts were missing. */
export interface NotEvaluatedRule {
  readonly ruleId: string;
  readonly missing: readonly string[];
}

export interface DecisionSummary {
  readonly outcome: string;
  readonly by: string;
  readonly decidedAt: string;
  readonly singleControl: boolean;
}

/** A transaction with its current state. The fields of the evaluation are null until it is evaluated. */
export interface ReadBackTransaction {
  readonly transactionId: string;
  readonly status: string;
  readonly receivedAt: string;
  readonly occurredAt: string;
  readonly requestId: string;
  readonly correlationId: string;
  readonly warnings: readonly string[];
  readonly verdict: string | null;
  readonly nextAction: NextAction | null;
  readonly outcome: string | null;
  readonly recommendedAction: string | null;
  readonly riskScore: number | null;
  readonly riskLevel: string | null;
  readonly defensible: boolean | null;
  readonly composition: string | null;
  readonly components: unknown;
  readonly nonDefensibleReasons: readonly string[];
  readonly notEvaluated: readonly NotEvaluatedRule[];
  readonly exempt: readonly string[];
  readonly withoutInputs: readonly string[];
  readonly reasons: readonly unknown[];
  readonly reviewRequired: boolean | null;
  readonly reviewId: string | null;
  readonly decision: DecisionSummary | null;
  readonly groups: readonly unknown[];
  readonly dampening: number;
  readonly flags: readonly string[];
  readonly requestedActions: readonly unknown[];
  readonly rulesetVersion: string | null;
  readonly rulesetHash: string | null;
  readonly evaluationVersion: number | null;
  readonly evaluatedAt: string | null;
  readonly receiptHash: string | null;
  readonly failure?: TransactionFailure;
}

/** True if a rule requested a step-up session and no person has decided since. */
export function requestsCustomerAction({ evaluation, decision }: TransactionRecord): boolean {
  if (!evaluation || decision) return false;
  const { actions } = JSON.parse(evaluation.receipt) as ReceiptSummary;
  return actions.some(({ action, status }) => action.type === 'STEP_UP_SESSION' && status === 'REQUESTED');
}

/** Maps a transaction for the application that submitted it; `link` is the open session of its customer. */
export function readBackOf(
  record: TransactionRecord,
  reviewId: string | null,
  link: OpenLink | null,
): ReadBackTransaction {
  const { evaluation, decision } = record;
  const receipt = evaluation ? (JSON.parse(evaluation.receipt) as ReceiptSummary) : null;
  const outcome = decision?.outcome ?? receipt?.outcome ?? null;
  const recommendedAction = decision
    ? actionAfterDecision(decision.outcome)
    : (receipt?.recommendedAction ?? null);
  return {
    transactionId: record.transactionId,
    status: record.status,
    receivedAt: record.receivedAt.toISOString(),
    occurredAt: record.occurredAt.toISOString(),
    ...pick(record, 'requestId', 'correlationId', 'warnings'),
    verdict: outcome && recommendedAction && verdictOf(outcome, recommendedAction),
    nextAction: nextActionOf(link),
    outcome,
    recommendedAction,
    riskScore: receipt?.score ?? null,
    riskLevel: receipt?.level ?? null,
    ...(receipt
      ? defensibilityAfterDecision(receipt, decision)
      : { defensible: null, nonDefensibleReasons: [] }),
    composition: receipt?.composition ?? null,
    components: receipt?.components ?? null,
    notEvaluated: receipt?.notEvaluated ?? [],
    exempt: receipt?.exempt ?? [],
    withoutInputs: receipt?.withoutInputs ?? [],
    reasons: receipt?.reasons ?? [],
    reviewRequired: receipt ? !decision && (receipt.outcome === 'REVIEW' || reviewId !== null) : null,
    reviewId: reviewId === null ? null : publicId('rev', reviewId),
    decision: decision && decisionView(decision),
    groups: receipt?.groups ?? [],
    dampening: receipt?.dampening ?? 0,
    flags: receipt?.flags ?? [],
    requestedActions: requestedActionViews(receipt?.actions ?? []),
    rulesetHash: receipt?.ruleset?.contentHash ?? null,
    rulesetVersion: receipt?.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
    evaluationVersion: evaluation?.version ?? null,
    evaluatedAt: evaluation?.evaluatedAt.toISOString() ?? null,
    receiptHash: evaluation?.receiptHash.toString('hex') ?? null,
    ...(record.failure ? { failure: record.failure } : {}),
  };
}
