import type { ComposedEntry } from '../../../audit/index.js';
import type { PreparedReview } from '../../../reviews/index.js';
import type { CountedHit, Evaluation, PublishedRuleset } from '../../../rules/index.js';
import type { PreparedStepUp } from '../../../sessions/index.js';
import type { ComposedEvent } from '../../../webhooks/index.js';
import type { DecryptedTransaction } from '../claimed.js';
import type { DecisionReceipt } from '../receipt.js';

/** An evaluated transaction with everything that its commit stores. */
export interface EvaluatedTransaction {
  readonly transaction: DecryptedTransaction;
  readonly evaluation: Evaluation;
  readonly evaluationVersion: number;
  readonly ruleset: PublishedRuleset | null;
  readonly receipt: DecisionReceipt;
  readonly evaluated: ComposedEntry;
  readonly completed: ComposedEvent;
  /** The summary of the evaluation that back-tests read, with the facts. */
  readonly brief: string;
  /** Hits that start a cooldown of their rule. */
  readonly counted: readonly CountedHit[];
  readonly evaluatedAt: Date;
  /** The case that the evaluation opens or joins. */
  readonly review: PreparedReview | null;
  /** The step-up session that a rule requests. */
  readonly stepUp: PreparedStepUp | null;
  /** True if the transaction arrived late: evaluated transactions whose windows include it have to be found. */
  readonly cameLate: boolean;
}
