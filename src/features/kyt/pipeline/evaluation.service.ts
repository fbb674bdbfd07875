import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry, type ComposedEntry } from '../../audit/index.js';
import { Clock, mapWithYields, publicId, sha256 } from '../../../platform/kernel/index.js';
import { BlindIndex, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import {
  snapshotSummary,
  CooldownsService,
  evaluate,
  evaluateGravest,
  type EvaluationContext,
  type CooldownIndex,
  type CountedHit,
  type IntegrityFlag,
  type PublishedRuleset,
  type SuppressionReason,
} from '../../rules/index.js';
import { ReviewsService, type PreparedReview } from '../../reviews/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { orderByOccurrence, selectionKeyOf, type DecryptedTransaction } from '../domain/claimed.js';
import { completedData } from '../domain/completed-data.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import { submissionSubjectsOf } from '../domain/submission/grouping.js';
import { digestOfEvaluationRow } from '../domain/submission/row-digest.js';
import {
  inputHashOf,
  receiptOf,
  type DecisionReceipt,
  type LateTrigger,
  type ReceiptParts,
  type ShadowResult,
} from '../domain/receipt.js';
import { evidenceWithoutRuleset, type TransactionEvidence } from '../domain/facts/evidence.js';
import { alertFactsOf, reviewNeedOf, type ReviewNeed } from '../domain/review-need.js';
import { dismissedRules, suppressedRules } from '../domain/facts/suppressed-rules.js';
import { StepUpResolver, type StepUpCandidate, type ResolvedStepUp } from './step-up-resolver.js';

/** An evaluation before the states of its step-up sessions are known. */
interface TransactionRuleResult extends StepUpCandidate {
  readonly transaction: DecryptedTransaction;
  readonly subject: SubjectRef;
  /** The collected evidence, with unconfirmed facts. */
  readonly found: TransactionEvidence;
  /** The evidence of the stored evaluation: `found`, or `found` without unconfirmed facts if its result is graver. */
  readonly evidence: TransactionEvidence;
  readonly ruleset: PublishedRuleset | null;
  readonly champion: PublishedRuleset | null;
  readonly shadows: readonly ShadowResult[];
  readonly context: EvaluationContext & { readonly silenced: ReadonlyMap<string, SuppressionReason> };
  readonly counted: readonly CountedHit[];
  readonly trigger: EvaluationTrigger;
}

/** An evaluation with its receipt, before its case is known. */
interface DraftEvaluation {
  readonly result: TransactionRuleResult;
  readonly challenge: ResolvedStepUp | null;
  readonly receipt: DecisionReceipt;
  readonly need: ReviewNeed | null;
}

/** Identifies the evaluation to create: version, event sequence, and who triggered it. */
export interface EvaluationTrigger {
  readonly evaluationVersion: number;
  /** Sequence number of the completed event among the events of the transaction. */
  readonly sequence: number;
  readonly actor: ComposedActor;
  readonly late?: LateReEvaluation;
}

/** A re-evaluation because of late transactions, with the rulesets of the earlier evaluation. */
export interface LateReEvaluation extends Pick<ReceiptParts, 'silenced' | 'marks'> {
  readonly trigger: LateTrigger;
  readonly deciding: PublishedRuleset | null;
  readonly champion: PublishedRuleset | null;
  readonly shadows: readonly PublishedRuleset[];
}

type ComposedActor = Parameters<typeof composeEntry>[0]['actor'];

const PIPELINE: ComposedActor = { type: 'system', id: 'kyt.pipeline' };
// The pipeline always creates the first version; re-evaluations add others.
const FIRST_VERSION = 1;

/** Evaluates transactions and composes everything that is stored of the result, outside of a database transaction. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly cooldowns: CooldownsService,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly reviews: ReviewsService,
    private readonly stepUpResolver: StepUpResolver,
  ) {}

  /** Returns evaluations in the order of occurrence. `triggerOf` identifies the evaluation to create. */
  async evaluate(
    batch: readonly DecryptedTransaction[],
    evidence: readonly TransactionEvidence[],
    triggerOf: (transaction: DecryptedTransaction) => EvaluationTrigger,
  ): Promise<EvaluatedTransaction[]> {
    const subjects = batch.map(
      ({ organisationId, submission, receivedAt }) =>
        submissionSubjectsOf(this.index, organisationId, submission, receivedAt).main,
    );
    await this.vault.prepare(subjects);
    const liveByOrganisation = new Map(evidence.map((one) => [one.live.organisationId, one.live]));
    const book = await this.cooldowns.loadIndex(liveByOrganisation, batch);
    const evaluatedAt = new Date(this.clock.now());
    const results = await mapWithYields(orderByOccurrence(batch), ({ transaction, i }) => {
      const [own, subject] = [evidence[i], subjects[i]];
      if (!own || !subject) throw new Error('evidence and batch differ in length');
      return this.evaluateOne(transaction, own, subject, book, evaluatedAt, triggerOf(transaction));
    });
    const challenges = await this.stepUpResolver.resolve(results);
    const drafts = await mapWithYields(results, (one) => draftOf(one, challenges.get(one) ?? null));
    const reviews = await this.prepareReviews(drafts);
    return mapWithYields(drafts, (one) => this.compose(one, reviews.get(one) ?? null, evaluatedAt));
  }

  /** Prepares the cases that evaluations need; queries the database only if an evaluation needs one. */
  private async prepareReviews(
    drafts: readonly DraftEvaluation[],
  ): Promise<ReadonlyMap<DraftEvaluation, PreparedReview>> {
    const withReview = drafts.flatMap((one) => (one.need ? [{ one, need: one.need }] : []));
    const prepared = await this.reviews.prepareCases(
      withReview.map(({ one: { result }, need }): Parameters<ReviewsService['prepareCases']>[0][number] => {
        const { transaction, evidence, evaluation, trigger } = result;
        return {
          gate: transaction.id,
          organisationId: transaction.organisationId,
          customerId: evidence.parties.customerId,
          clientAppId: transaction.clientAppId,
          transaction: {
            ref: transaction.id,
            evaluationVersion: trigger.evaluationVersion,
            hitIds: [...new Set(evidence.parties.hits.map(({ hitId }) => hitId))],
          },
          riskScore: evaluation.score,
          facts: alertFactsOf(need, evaluation, transaction.submission, evidence.sheet),
          occurredAt: transaction.occurredAt,
          requestId: transaction.requestId,
          correlationId: transaction.correlationId,
          ...need,
        };
      }),
      PIPELINE,
    );
    return new Map(
      withReview.flatMap(({ one }, i) => {
        const review = prepared[i];
        return review ? [[one, review] as const] : [];
      }),
    );
  }

  private evaluateOne(
    transaction: DecryptedTransaction,
    found: TransactionEvidence,
    subject: SubjectRef,
    book: CooldownIndex,
    evaluatedAt: Date,
    trigger: EvaluationTrigger,
  ): TransactionRuleResult {
    const { live } = found;
    const selection = live.select(selectionKeyOf(transaction));
    // Cooldowns apply to first evaluations only: a re-evaluation does not repeat an alert.
    const repeatable = trigger.evaluationVersion === FIRST_VERSION ? selection.deciding : null;
    const cooling = repeatable
      ? [...book.findActive(repeatable, transaction), ...dismissedRules(repeatable.content, found)]
      : [];
    const { late } = trigger;
    const { deciding: ruleset, champion, shadows } = late ?? selection;
    const asIs = live.isAltered && ruleset === null ? evidenceWithoutRuleset(found, evaluatedAt) : found;
    const alone =
      selection.deciding !== null &&
      (live.isSingleControlled(selection.deciding, evaluatedAt) ||
        live.areInputsSingleControlled(transaction.clientAppId));
    const marks = late ? late.marks : alone ? SINGLE_CONTROL : undefined;
    const silenced = late?.silenced ?? suppressedRules(live, ruleset, cooling, evaluatedAt);
    const context = {
      trailIntact: isTrailIntact(transaction),
      asOf: evaluatedAt.toISOString(),
      silenced,
      marks,
    };
    const { evidence, evaluation } = evaluateGravest(asIs, ruleset, context);
    const countedHits = repeatable ? book.record(repeatable, transaction, evaluation) : [];
    return {
      transaction,
      subject,
      found: asIs,
      evidence,
      evaluation,
      ruleset,
      champion,
      context,
      counted: countedHits,
      trigger,
      // Shadow rulesets evaluate the same facts, and their results decide nothing.
      shadows: shadows.map((shadow) => ({
        ruleset: shadow,
        evaluation: evaluate(evidence, shadow, context),
      })),
    };
  }

  private compose(
    draft: DraftEvaluation,
    review: PreparedReview | null,
    evaluatedAt: Date,
  ): EvaluatedTransaction {
    const { result, challenge, receipt } = draft;
    const { transaction, subject, evidence, evaluation, ruleset, counted, context } = result;
    const { evaluationVersion, sequence } = result.trigger;
    const reviewId = review?.reviewId ?? null;
    const brief = snapshotSummary(
      publicId('app', transaction.clientAppId),
      evidence,
      evaluation,
      context.trailIntact,
      challenge?.flows,
    );
    return {
      transaction,
      evaluation,
      evaluationVersion,
      ruleset,
      receipt,
      evaluated: entryOf(draft, brief, reviewId, evaluatedAt),
      completed: this.events.compose({
        organisationId: transaction.organisationId,
        clientAppId: transaction.clientAppId,
        type: 'kyt.transaction.pipeline.completed',
        resource: { type: 'transaction', id: transaction.id },
        sequence,
        correlationId: transaction.correlationId,
        traceparent: transaction.traceparent,
        occurredAt: evaluatedAt,
        subject,
        data: completedData(
          transaction,
          evaluation,
          ruleset,
          evaluationVersion,
          receipt,
          evaluatedAt,
          reviewId,
          challenge?.link ?? null,
        ),
      }),
      brief,
      counted,
      evaluatedAt,
      review,
      stepUp: challenge?.stepUp ?? null,
      cameLate: evidence.parties.cameLate,
    };
  }
}

/** Evaluates again with the states of the step-up sessions. */
function withStepUps(
  result: TransactionRuleResult,
  { flows: challengeFlows }: ResolvedStepUp,
): TransactionRuleResult {
  const { transaction, subject, found, ruleset, champion, counted, trigger } = result;
  const context = { challengeFlows, ...result.context };
  const { evidence, evaluation } = evaluateGravest(found, ruleset, context);
  return {
    transaction,
    subject,
    found,
    evidence,
    evaluation,
    ruleset,
    champion,
    context,
    counted,
    trigger,
    shadows: result.shadows.map((shadow) => ({
      ruleset: shadow.ruleset,
      evaluation: evaluate(evidence, shadow.ruleset, context),
    })),
  };
}

function draftOf(before: TransactionRuleResult, challenge: ResolvedStepUp | null): DraftEvaluation {
  const result = challenge ? withStepUps(before, challenge) : before;
  const { transaction, evidence, evaluation, ruleset, champion, shadows, trigger, context } = result;
  const isAsked = trigger.evaluationVersion === FIRST_VERSION ? challenge?.stepUp : challenge;
  if (evaluation.outcome === 'CHALLENGED' && !isAsked) throw new Error('a challenge without a session');
  const { trailEnd: end } = transaction;
  const receipt = receiptOf({
    transactionRef: transaction.id,
    evaluationVersion: trigger.evaluationVersion,
    evaluatedAt: context.asOf,
    ...(trigger.late ? { trigger: trigger.late.trigger } : {}),
    inputHash: inputHashOf({
      source: transaction.source,
      transactionId: transaction.transactionId,
      receivedAt: transaction.receivedAt.toISOString(),
      body: transaction.body,
    }),
    evidence,
    ruleset,
    silenced: context.silenced,
    challengeFlows: context.challengeFlows,
    marks: context.marks,
    trailIntact: context.trailIntact,
    trail: end ? { seq: end.seq, hash: end.hash.toString('hex') } : null,
    evaluation,
    champion,
    shadows,
  });
  return { result, challenge, receipt, need: reviewNeedOf(evaluation, evidence.parties.hits) };
}

/** Identifies the first evaluation of a claimed transaction. */
export const firstEvaluationTrigger = (sequence: number): EvaluationTrigger => ({
  evaluationVersion: FIRST_VERSION,
  sequence,
  actor: PIPELINE,
});

const SINGLE_CONTROL: readonly IntegrityFlag[] = ['SINGLE_CONTROL'];

/** True if the first entry of the chain has the hash that the transaction row holds. */
const isTrailIntact = ({ trailEnd, trailHash }: DecryptedTransaction): boolean =>
  trailEnd?.firstHash.equals(trailHash) === true;

function entryOf(
  { result, receipt }: DraftEvaluation,
  brief: string,
  reviewId: string | null,
  occurredAt: Date,
): ComposedEntry {
  const { transaction, evaluation, ruleset } = result;
  const { evaluationVersion, actor, late } = result.trigger;
  const trailEnd = transaction.trailEnd;
  return composeEntry(
    {
      subject: { organisationId: transaction.organisationId, type: 'transaction', id: transaction.id },
      action: 'transaction.evaluated',
      actor,
      requestId: transaction.requestId,
      correlationId: transaction.correlationId,
      occurredAt,
      content: {
        evaluationVersion,
        outcome: evaluation.outcome,
        score: evaluation.score,
        composition: evaluation.composition,
        defensible: evaluation.defensible,
        ruleset: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
        rulesetHash: ruleset?.contentHash ?? null,
        receiptHash: receipt.hash.toString('hex'),
        row: digestOfEvaluationRow({
          organisationId: transaction.organisationId,
          recommendedAction: evaluation.recommendedAction,
          riskLevel: evaluation.level,
          rulesetId: ruleset?.id ?? null,
          evaluatedAt: occurredAt,
          facts: sha256(receipt.facts),
          brief,
        }),
        review: reviewId === null ? null : publicId('rev', reviewId),
        ...(late ? { late: late.trigger.transactions.map((id) => publicId('txn', id)) } : {}),
      },
    },
    trailEnd ? { seq: trailEnd.seq + 1, previousHash: trailEnd.hash } : CHAIN_START,
  );
}
