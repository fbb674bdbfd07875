import { Injectable } from '@nestjs/common';
import { composeEntry, type ComposedEntry } from '../audit/index.js';
import { Clock } from '../kernel/index.js';
import { BlindIndex, Vault } from '../privacy/index.js';
import {
  evaluate,
  RulesetsService,
  type Evaluation,
  type Evidence,
  type PublishedRuleset,
} from '../rules/index.js';
import { EventPublisher, type ComposedEvent, type EventData } from '../webhooks/index.js';
import { endingSequence, type OpenTransaction } from './domain/claimed.js';
import { subjectsOf } from './domain/grouping.js';
import { receiptOf, type DecisionReceipt } from './domain/receipt.js';

/** An evaluated transaction with everything that its commit stores. */
export interface ConcludedTransaction {
  readonly transaction: OpenTransaction;
  readonly evaluation: Evaluation;
  readonly evaluationVersion: number;
  readonly ruleset: PublishedRuleset | null;
  readonly receipt: DecisionReceipt;
  readonly evaluated: ComposedEntry;
  readonly completed: ComposedEvent;
  readonly evaluatedAt: Date;
}

// Re-evaluation of a completed transaction adds versions; what the pipeline makes is always the first.
const FIRST_VERSION = 1;

/** Evaluates transactions and composes what is stored and told about it; all outside the transaction. */
@Injectable()
export class Conclusions {
  constructor(
    private readonly rulesets: RulesetsService,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async draw(
    batch: readonly OpenTransaction[],
    evidence: readonly Evidence[],
  ): Promise<ConcludedTransaction[]> {
    const subjects = batch.map(
      (transaction) =>
        subjectsOf(this.index, transaction.organisationId, transaction.submission, transaction.receivedAt)
          .main,
    );
    await this.vault.prepare(subjects);
    const rulesets = new Map<string, PublishedRuleset | null>();
    for (const { organisationId } of batch) {
      if (!rulesets.has(organisationId)) {
        rulesets.set(organisationId, await this.rulesets.liveFor(organisationId));
      }
    }
    const evaluatedAt = new Date(this.clock.now());
    return batch.map((transaction, i) => {
      const own = evidence[i];
      const subject = subjects[i];
      if (!own || !subject) throw new Error('evidence and batch differ in length');
      const ruleset = rulesets.get(transaction.organisationId) ?? null;
      const evaluation = evaluate(own, ruleset, trailIntact(transaction), evaluatedAt.toISOString());
      const receipt = receiptOf(transaction, own, evaluation, ruleset, FIRST_VERSION, evaluatedAt);
      const evaluated = this.entry(transaction, evaluation, ruleset, receipt, evaluatedAt);
      const completed = this.events.compose({
        organisationId: transaction.organisationId,
        clientAppId: transaction.clientAppId,
        type: 'kyt.transaction.pipeline.completed',
        resource: { type: 'transaction', id: transaction.id },
        sequence: endingSequence(transaction),
        correlationId: transaction.correlationId,
        traceparent: transaction.traceparent,
        occurredAt: evaluatedAt,
        subject,
        data: completedData(transaction, evaluation, ruleset, receipt, evaluatedAt),
      });
      return {
        transaction,
        evaluation,
        evaluationVersion: FIRST_VERSION,
        ruleset,
        receipt,
        evaluated,
        completed,
        evaluatedAt,
      };
    });
  }

  private entry(
    transaction: OpenTransaction,
    evaluation: Evaluation,
    ruleset: PublishedRuleset | null,
    receipt: DecisionReceipt,
    occurredAt: Date,
  ): ComposedEntry {
    const end = transaction.trailEnd;
    return composeEntry(
      {
        subject: { organisationId: transaction.organisationId, type: 'transaction', id: transaction.id },
        action: 'transaction.evaluated',
        actor: { type: 'system', id: 'kyt.pipeline' },
        requestId: transaction.requestId,
        correlationId: transaction.correlationId,
        occurredAt,
        content: {
          evaluationVersion: FIRST_VERSION,
          outcome: evaluation.outcome,
          score: evaluation.score,
          composition: evaluation.composition,
          defensible: evaluation.defensible,
          ruleset: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
          rulesetHash: ruleset?.contentHash ?? null,
          receiptHash: receipt.hash.toString('hex'),
        },
      },
      end ? { seq: end.seq + 1, previousHash: end.hash } : { seq: 1, previousHash: null },
    );
  }
}

/** The chain begins with the entry that the stored transaction committed to. */
const trailIntact = ({ trailEnd, trailHash }: OpenTransaction): boolean =>
  trailEnd?.firstHash.equals(trailHash) === true;

function completedData(
  transaction: OpenTransaction,
  evaluation: Evaluation,
  ruleset: PublishedRuleset | null,
  receipt: DecisionReceipt,
  evaluatedAt: Date,
): EventData['kyt.transaction.pipeline.completed'] {
  return {
    transactionId: transaction.transactionId,
    status: 'COMPLETED',
    outcome: evaluation.outcome,
    recommendedAction: evaluation.recommendedAction,
    riskScore: evaluation.score,
    riskLevel: evaluation.level,
    defensible: evaluation.defensible,
    composition: evaluation.composition,
    nonDefensibleReasons: evaluation.nonDefensibleReasons,
    reasons: evaluation.reasons,
    reviewRequired: evaluation.outcome === 'REVIEW',
    rulesetVersion: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
    evaluationVersion: FIRST_VERSION,
    evaluatedAt: evaluatedAt.toISOString(),
    receiptHash: receipt.hash.toString('hex'),
  };
}
