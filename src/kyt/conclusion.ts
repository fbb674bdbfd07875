import { Injectable } from '@nestjs/common';
import { composeEntry, type ComposedEntry } from '../audit/index.js';
import { Clock, mapInTurns, publicId } from '../kernel/index.js';
import { BlindIndex, Vault, type SubjectRef } from '../privacy/index.js';
import {
  briefOf,
  Cooldowns,
  evaluate,
  millisOf,
  RulesetRegistry,
  type CooldownBook,
  type CountedHit,
  type Evaluation,
  type Evidence,
  type LiveRulesets,
  type PublishedRuleset,
  type Silence,
} from '../rules/index.js';
import { ReviewsService, type PreparedReview } from '../reviews/index.js';
import { StepUps, type PreparedStepUp, type StepUpWish } from '../sessions/index.js';
import { EventPublisher, type ComposedEvent } from '../webhooks/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import { completedData } from './domain/completed-data.js';
import { subjectsOf } from './domain/grouping.js';
import { inputHashOf, receiptOf, type DecisionReceipt } from './domain/receipt.js';
import { reviewNeedOf, type ReviewNeed } from './domain/review-need.js';
import { ScreeningFacts } from './screening.facts.js';

/** An evaluated transaction with everything that its commit stores. */
export interface ConcludedTransaction {
  readonly transaction: OpenTransaction;
  readonly evaluation: Evaluation;
  readonly evaluationVersion: number;
  readonly ruleset: PublishedRuleset | null;
  readonly receipt: DecisionReceipt;
  readonly evaluated: ComposedEntry;
  readonly completed: ComposedEvent;
  /** What back-tests read of it beside its facts. */
  readonly brief: string;
  /** Hits of rules with a cooldown, from which it runs. */
  readonly counted: readonly CountedHit[];
  readonly evaluatedAt: Date;
  /** The case that it opens or joins. */
  readonly review: PreparedReview | null;
  /** The session that a rule asks for. */
  readonly stepUp: PreparedStepUp | null;
}

/** An evaluation with its receipt, before it is known which case it belongs to. */
interface Drawn {
  readonly transaction: OpenTransaction;
  readonly subject: SubjectRef;
  readonly evidence: Evidence;
  readonly evaluation: Evaluation;
  readonly ruleset: PublishedRuleset | null;
  readonly receipt: DecisionReceipt;
  readonly counted: readonly CountedHit[];
  readonly occasion: Occasion;
  readonly intact: boolean;
  readonly need: ReviewNeed | null;
}

/** Which evaluation of a transaction is drawn, and who asked for it. */
export interface Occasion {
  readonly evaluationVersion: number;
  /** Place of the completed event among the events of the transaction. */
  readonly sequence: number;
  readonly actor: ComposedActor;
}

type ComposedActor = Parameters<typeof composeEntry>[0]['actor'];

const PIPELINE: ComposedActor = { type: 'system', id: 'kyt.pipeline' };
// Re-evaluation of a completed transaction adds versions; what the pipeline makes is always the first.
const FIRST_VERSION = 1;

/** Evaluates transactions and composes what is stored and told about it; all outside the transaction. */
@Injectable()
export class Conclusions {
  constructor(
    private readonly rulesets: RulesetRegistry,
    private readonly cooldowns: Cooldowns,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly screening: ScreeningFacts,
    private readonly reviews: ReviewsService,
    private readonly stepUps: StepUps,
  ) {}

  /** `occasionOf` says which evaluation it is of each transaction. */
  async draw(
    batch: readonly OpenTransaction[],
    evidence: readonly Evidence[],
    occasionOf: (transaction: OpenTransaction) => Occasion,
  ): Promise<ConcludedTransaction[]> {
    const subjects = batch.map(
      ({ organisationId, submission, receivedAt }) =>
        subjectsOf(this.index, organisationId, submission, receivedAt).main,
    );
    await this.vault.prepare(subjects);
    // Pinned once: whatever is published meanwhile, no transaction of the batch sees two versions.
    const live = await this.rulesets.pin(batch.map(({ organisationId }) => organisationId));
    const book = await this.cooldowns.open(live, batch);
    const evaluatedAt = new Date(this.clock.now());
    const drawn = await mapInTurns(inOrderOfOccurrence(batch), ({ transaction, i }) => {
      const [own, subject] = [evidence[i], subjects[i]];
      const rulesets = live.get(transaction.organisationId);
      if (!own || !subject || !rulesets) throw new Error('evidence and batch differ in length');
      return this.judge(transaction, own, subject, rulesets, book, evaluatedAt, occasionOf(transaction));
    });
    const reviews = await this.reviewsOf(drawn);
    const stepUps = await this.stepUpsOf(drawn);
    return mapInTurns(drawn, (one) =>
      this.compose(one, reviews.get(one) ?? null, stepUps.get(one) ?? null, evaluatedAt),
    );
  }

  /** Prepares the sessions that rules ask for. Only the first evaluation opens one: another is its answer. */
  private async stepUpsOf(drawn: readonly Drawn[]): Promise<ReadonlyMap<Drawn, PreparedStepUp>> {
    const wishes = drawn.flatMap((one) => {
      if (one.occasion.evaluationVersion !== FIRST_VERSION) return [];
      const wish = wishOf(one, this.screening.foundIn(one.transaction).customerId);
      return wish ? [{ one, wish }] : [];
    });
    const prepared = await this.stepUps.prepare(wishes.map(({ wish }) => wish));
    return new Map(
      wishes.flatMap(({ one }, i) => {
        const stepUp = prepared[i];
        return stepUp ? [[one, stepUp] as const] : [];
      }),
    );
  }

  /** Prepares the cases of those that need one; asks the database only when some do. */
  private async reviewsOf(drawn: readonly Drawn[]): Promise<ReadonlyMap<Drawn, PreparedReview>> {
    const needy = drawn.flatMap((one) => (one.need ? [{ one, need: one.need }] : []));
    const prepared = await this.reviews.prepare(
      needy.map(({ one: { transaction, evaluation, occasion }, need }) => ({
        gate: transaction.id,
        organisationId: transaction.organisationId,
        customerId: this.screening.foundIn(transaction).customerId,
        clientAppId: transaction.clientAppId,
        transaction: { ref: transaction.id, evaluationVersion: occasion.evaluationVersion },
        riskScore: evaluation.score,
        occurredAt: transaction.occurredAt,
        requestId: transaction.requestId,
        correlationId: transaction.correlationId,
        ...need,
      })),
      PIPELINE,
    );
    return new Map(
      needy.flatMap(({ one }, i) => {
        const review = prepared[i];
        return review ? [[one, review] as const] : [];
      }),
    );
  }

  private judge(
    transaction: OpenTransaction,
    evidence: Evidence,
    subject: SubjectRef,
    live: LiveRulesets,
    book: CooldownBook,
    evaluatedAt: Date,
    occasion: Occasion,
  ): Drawn {
    const {
      deciding: ruleset,
      champion,
      shadows,
    } = live.select({
      type: transaction.submission.type,
      clientApp: publicId('app', transaction.clientAppId),
      customerKey: transaction.customerKey,
    });
    // A re-evaluation judges the same transaction again, which is no repetition of it.
    const cooling =
      ruleset && occasion.evaluationVersion === FIRST_VERSION ? book.coolingFor(ruleset, transaction) : [];
    const silenced = silencedBy(live, ruleset, cooling, evaluatedAt);
    const intact = trailIntact(transaction);
    const circumstances = { trailIntact: intact, asOf: evaluatedAt.toISOString(), silenced };
    const evaluation = evaluate(evidence, ruleset, circumstances);
    const counted =
      ruleset && occasion.evaluationVersion === FIRST_VERSION
        ? book.note(ruleset, transaction, evaluation)
        : [];
    const { trailEnd: end } = transaction;
    const receipt = receiptOf({
      transactionRef: transaction.id,
      evaluationVersion: occasion.evaluationVersion,
      evaluatedAt: circumstances.asOf,
      inputHash: inputHashOf({
        source: transaction.source,
        transactionId: transaction.transactionId,
        receivedAt: transaction.receivedAt.toISOString(),
        body: transaction.body,
      }),
      evidence,
      ruleset,
      silenced,
      trailIntact: intact,
      trail: end ? { seq: end.seq, hash: end.hash.toString('hex') } : null,
      evaluation,
      champion,
      // After the one that decides, on the same facts: a challenger that is only watched changes nothing.
      shadows: shadows.map((shadow) => ({
        ruleset: shadow,
        evaluation: evaluate(evidence, shadow, circumstances),
      })),
    });
    const need = reviewNeedOf(evaluation, ruleset, this.screening.foundIn(transaction).hits);
    return {
      transaction,
      subject,
      evidence,
      evaluation,
      ruleset,
      receipt,
      counted,
      occasion,
      intact,
      need,
    };
  }

  private compose(
    drawn: Drawn,
    review: PreparedReview | null,
    stepUp: PreparedStepUp | null,
    evaluatedAt: Date,
  ): ConcludedTransaction {
    const { transaction, subject, evidence, evaluation, ruleset, receipt, counted, occasion, intact } = drawn;
    const { evaluationVersion } = occasion;
    const reviewId = review?.reviewId ?? null;
    return {
      transaction,
      evaluation,
      evaluationVersion,
      ruleset,
      receipt,
      evaluated: entryOf(drawn, reviewId, evaluatedAt),
      completed: this.events.compose({
        organisationId: transaction.organisationId,
        clientAppId: transaction.clientAppId,
        type: 'kyt.transaction.pipeline.completed',
        resource: { type: 'transaction', id: transaction.id },
        sequence: occasion.sequence,
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
          stepUp?.sessionId ?? null,
        ),
      }),
      brief: briefOf(publicId('app', transaction.clientAppId), evidence, evaluation, intact),
      counted,
      evaluatedAt,
      review,
      stepUp,
    };
  }
}

/** What a rule asks of the customer; null when none does, or nobody is named whom a link could be sent to. */
function wishOf({ transaction, subject, evaluation }: Drawn, customerId: string | null): StepUpWish | null {
  if (customerId === null) return null;
  const asked = evaluation.actions.find(
    ({ status, action }) => status === 'REQUESTED' && action.type === 'STEP_UP_SESSION',
  );
  if (asked?.action.type !== 'STEP_UP_SESSION') return null;
  const { flowKey, expiresIn, expiresInAtNight } = asked.action;
  return {
    organisationId: transaction.organisationId,
    clientAppId: transaction.clientAppId,
    customerId,
    subjectIndex: subject.index,
    transactionRef: transaction.id,
    evaluationVersion: FIRST_VERSION,
    flowKey,
    expiresInMs: millisOf(expiresIn),
    expiresAtNightMs: millisOf(expiresInAtNight),
    requestId: transaction.requestId,
    correlationId: transaction.correlationId,
    traceparent: transaction.traceparent,
  };
}

/** The first evaluation of a claimed transaction. */
export const firstOccasion = (sequence: number): Occasion => ({
  evaluationVersion: FIRST_VERSION,
  sequence,
  actor: PIPELINE,
});

const NOBODY: ReadonlyMap<string, Silence> = new Map();

function silencedBy(
  live: LiveRulesets,
  ruleset: PublishedRuleset | null,
  cooling: readonly string[],
  at: Date,
): ReadonlyMap<string, Silence> {
  const snoozed = ruleset ? live.snoozedRules(ruleset.content.key, at) : null;
  if (cooling.length === 0 && (!snoozed || snoozed.size === 0)) return NOBODY;
  return new Map([
    ...cooling.map((key) => [key, 'COOLDOWN'] as const),
    ...[...(snoozed ?? [])].map((key) => [key, 'SNOOZED'] as const),
  ]);
}

/** The chain begins with the entry that the stored transaction committed to. */
const trailIntact = ({ trailEnd, trailHash }: OpenTransaction): boolean =>
  trailEnd?.firstHash.equals(trailHash) === true;

function entryOf(
  { transaction, evaluation, ruleset, receipt, occasion: { evaluationVersion, actor } }: Drawn,
  reviewId: string | null,
  occurredAt: Date,
): ComposedEntry {
  const end = transaction.trailEnd;
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
        review: reviewId === null ? null : publicId('rev', reviewId),
      },
    },
    end ? { seq: end.seq + 1, previousHash: end.hash } : { seq: 1, previousHash: null },
  );
}

/** A cooldown runs from the earlier transaction to the later one, whichever was claimed first. */
const inOrderOfOccurrence = (
  batch: readonly OpenTransaction[],
): { readonly transaction: OpenTransaction; readonly i: number }[] =>
  batch
    .map((transaction, i) => ({ transaction, i }))
    .sort((a, b) => a.transaction.occurredAt.getTime() - b.transaction.occurredAt.getTime());
