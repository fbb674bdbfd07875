import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { isRetryableOrTaken, retry, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { Outbox, type QueueName, type UnfinishedScope } from '../../../platform/queue/index.js';
import { outcomeOfResolution, type Resolution } from '../domain/review.js';
import {
  DECIDED_ORIGINS,
  ReviewQueries,
  type LinkedTransaction,
  type ReviewRow,
} from '../store/review.queries.js';
import { ReviewEffectEntity } from '../store/entities.js';

/** A decision that a module has still to apply to its transactions or session. */
export interface DecidedReview {
  readonly reviewId: string;
  readonly organisationId: string;
  readonly resolution: Resolution;
  readonly outcome: 'APPROVED' | 'REJECTED';
  /** The operators who proposed and who approved the decision. */
  readonly maker: string;
  readonly checker: string;
  readonly decidedAt: Date;
  /** True if the proposer also approved, because no independent operator was available. */
  readonly singleControl: boolean;
  /** The internal id of the session that the case is about. */
  readonly sessionRef: string | null;
}

// After this time without an effect, the job counts as lost and is queued again.
const LOST_AFTER_SECONDS = 30;
const MAX_TRIES = 5;

/** The content of an audit entry that identifies the decision and its two operators. */
export const decisionContentOf = ({
  reviewId,
  resolution,
  outcome,
  maker,
  checker,
}: DecidedReview): Readonly<Record<'review' | 'resolution' | 'outcome' | 'maker' | 'checker', string>> => ({
  review: publicId('rev', reviewId),
  resolution,
  outcome,
  maker: publicId('opr', maker),
  checker: publicId('opr', checker),
});

/** The module that still has to apply a decision. */
type EffectTarget = ReviewEffectEntity['target'];

/** The queue of each module that applies decisions. */
const queueOf: Readonly<Record<EffectTarget, QueueName>> = {
  KYT: 'kyt.review-decided',
  SESSIONS: 'sessions.review-decided',
};

/**
 * Delivers decisions exactly once to the modules that depend on reviews. Each target of a decision is a row, inserted
 * in the commit that closes the case and deleted in the commit of the target's work. Jobs carry only the case id.
 */
@Injectable()
export class ReviewEffectsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly queries: ReviewQueries,
  ) {}

  /** Queues the effects of the decision that closes a case, in the same commit. */
  async queueEffects(
    tx: Tx,
    { id, organisationId, kind, linked, sessionRef, report }: ReviewRow,
  ): Promise<void> {
    // The COAF drafting job would also find the case without this message, but later.
    if (report === 'COMMUNICATE') this.outbox.append(tx, 'dossiers.coaf', [id]);
    const targets: EffectTarget[] = [
      ...(linked > 0 ? (['KYT'] as const) : []),
      // A DATA_GAP case does not decide the outcome of its session.
      ...(sessionRef === null || kind === 'DATA_GAP' ? [] : (['SESSIONS'] as const)),
    ];
    for (const target of targets) {
      await tx.insert(ReviewEffectEntity, { reviewId: id, organisationId, target });
      this.outbox.append(tx, queueOf[target], [id]);
    }
  }

  /** Applies the decisions that the target has not applied yet. Safe to repeat, even after a crash. */
  async applyDecisions(
    target: EffectTarget,
    reviewIds: readonly string[],
    decide: (decided: DecidedReview) => Promise<void>,
  ): Promise<void> {
    for (const decided of await this.findPendingDecisions(target, reviewIds)) await decide(decided);
  }

  /**
   * Commits the work of `prepare`, unless the decision was applied meanwhile. `last` marks the decision as applied.
   * Runs `prepare` again if a concurrent evaluation or event used the next sequence number of an event.
   */
  async commitEffect(
    target: EffectTarget,
    { organisationId, reviewId }: DecidedReview,
    last: boolean,
    prepare: () => Promise<(tx: Tx) => Promise<void>>,
  ): Promise<void> {
    await retry(
      async () => {
        const work = await prepare();
        await this.uow.run(organisationId, async (tx) => {
          // A concurrent run for the same decision waits for this lock and then finds no row.
          const lock = { mode: 'pessimistic_write' } as const;
          if (!(await tx.findOne(ReviewEffectEntity, { where: { reviewId, target }, lock }))) return;
          await work(tx);
          if (last) await tx.delete(ReviewEffectEntity, { reviewId, target });
        });
      },
      { maxAttempts: MAX_TRIES, retryOn: isRetryableOrTaken },
    );
  }

  async findPendingDecisions(target: EffectTarget, reviewIds: readonly string[]): Promise<DecidedReview[]> {
    const rows = await this.queries.findUndelivered(target, reviewIds);
    return rows.flatMap(
      ({ id, organisationId, resolution, proposedBy, closedBy, closedAt, sessionRef, singleControl }) =>
        resolution && proposedBy !== null && closedBy !== null && closedAt
          ? [
              {
                reviewId: id,
                organisationId,
                resolution,
                outcome: outcomeOfResolution(resolution),
                maker: proposedBy,
                checker: closedBy,
                decidedAt: closedAt,
                sessionRef,
                singleControl,
              },
            ]
          : [],
    );
  }

  /** One page of the transactions that a decision is about, each with its newest evaluation in the case. */
  listTransactions(
    { organisationId, reviewId }: DecidedReview,
    after: string | null,
    limit: number,
  ): Promise<LinkedTransaction[]> {
    return this.queries.listTransactions(organisationId, reviewId, after, limit, DECIDED_ORIGINS);
  }

  /** Up to 1,000 ids of cases whose decision the target has not applied, the oldest first. */
  async findWaiting(tx: Tx, target: EffectTarget, which: UnfinishedScope): Promise<string[]> {
    const seconds = which === 'overdue' ? LOST_AFTER_SECONDS : 0;
    const createdAt = Raw((at) => `${at} < now() - make_interval(secs => :seconds)`, { seconds });
    const rows = await tx.find(ReviewEffectEntity, {
      where: { target, createdAt },
      order: { createdAt: 'ASC' },
      take: 1_000,
    });
    return rows.map(({ reviewId }) => reviewId);
  }
}
