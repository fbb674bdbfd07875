import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { isRetryableOrTaken, retry, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { Outbox, type QueueName, type Unfinished } from '../../../platform/queue/index.js';
import { outcomeOf, type Resolution } from '../domain/review.js';
import {
  DECIDED_ORIGINS,
  ReviewQueries,
  type LinkedTransaction,
  type ReviewRow,
} from '../store/review.queries.js';
import { ReviewEffectEntity } from '../store/entities/review-effect.entity.js';

/** A decision whose effect is still to come. */
export interface DecidedReview {
  readonly reviewId: string;
  readonly organisationId: string;
  readonly resolution: Resolution;
  readonly outcome: 'APPROVED' | 'REJECTED';
  /** The operators who proposed and who approved the decision. */
  readonly maker: string;
  readonly checker: string;
  readonly decidedAt: Date;
  /** True if one person decided alone, because nobody independent was there. */
  readonly singleControl: boolean;
  /** The row id of the session that the case is about. */
  readonly sessionRef: string | null;
}

// Carrying out a decision takes less time than this.
const LOST_AFTER_SECONDS = 30;
const MAX_TRIES = 5;

/** The part of an audit entry that names the decision and its two operators. */
export const contentOf = ({
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

/** The module that a decision still has to reach. */
type EffectTarget = ReviewEffectEntity['target'];

/** The queue through which each module above this one gets decisions. */
const queueOf: Readonly<Record<EffectTarget, QueueName>> = {
  KYT: 'kyt.review-decided',
  SESSIONS: 'sessions.review-decided',
};

/**
 * Carries decisions to the modules above, exactly once: each target of a decision is a row, written in the commit that
 * closes the case and deleted in the commit of its effect. Jobs only name the case.
 */
@Injectable()
export class ReviewEffectsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly queries: ReviewQueries,
  ) {}

  /** Queues the effects of a decision in the commit that closes the case. */
  async announce(tx: Tx, { id, organisationId, kind, linked, sessionRef, report }: ReviewRow): Promise<void> {
    // The job that drafts communications would also find the case without this message, but later.
    if (report === 'COMMUNICATE') this.outbox.append(tx, 'dossiers.coaf', [id]);
    const targets: EffectTarget[] = [
      ...(linked > 0 ? (['KYT'] as const) : []),
      // A gap in a session's data decides nothing about its outcome.
      ...(sessionRef === null || kind === 'DATA_GAP' ? [] : (['SESSIONS'] as const)),
    ];
    for (const target of targets) {
      await tx.insert(ReviewEffectEntity, { reviewId: id, organisationId, target });
      this.outbox.append(tx, queueOf[target], [id]);
    }
  }

  /** Carries out the decisions that have not arrived at the target. Safe to repeat, and after a crash. */
  async carryOut(
    target: EffectTarget,
    reviewIds: readonly string[],
    decide: (decided: DecidedReview) => Promise<void>,
  ): Promise<void> {
    for (const decided of await this.pending(target, reviewIds)) await decide(decided);
  }

  /**
   * Commits the work of `prepare`, unless the decision has arrived meanwhile; with `last` it counts as arrived then.
   * Prepares again if an evaluation or another event took the sequence of one of its events meanwhile.
   */
  async commit(
    target: EffectTarget,
    { organisationId, reviewId }: DecidedReview,
    last: boolean,
    prepare: () => Promise<(tx: Tx) => Promise<void>>,
  ): Promise<void> {
    await retry(
      async () => {
        const work = await prepare();
        await this.uow.run(organisationId, async (tx) => {
          // A concurrent run of the same decision waits for this lock, and then finds no row.
          const lock = { mode: 'pessimistic_write' } as const;
          if (!(await tx.findOne(ReviewEffectEntity, { where: { reviewId, target }, lock }))) return;
          await work(tx);
          if (last) await tx.delete(ReviewEffectEntity, { reviewId, target });
        });
      },
      { maxAttempts: MAX_TRIES, retryOn: isRetryableOrTaken },
    );
  }

  /** The decisions that have not arrived at this target. */
  async pending(target: EffectTarget, reviewIds: readonly string[]): Promise<DecidedReview[]> {
    const rows = await this.queries.findUndelivered(target, reviewIds);
    return rows.flatMap(
      ({ id, organisationId, resolution, proposedBy, closedBy, closedAt, sessionRef, singleControl }) =>
        resolution && proposedBy !== null && closedBy !== null && closedAt
          ? [
              {
                reviewId: id,
                organisationId,
                resolution,
                outcome: outcomeOf(resolution),
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

  /** The transactions that a decision is about, each with its newest evaluation in the case, page by page. */
  transactions(
    { organisationId, reviewId }: DecidedReview,
    after: string | null,
    limit: number,
  ): Promise<LinkedTransaction[]> {
    return this.queries.transactions(organisationId, reviewId, after, limit, DECIDED_ORIGINS);
  }

  /** The ids of up to 1,000 cases whose decision has not arrived at the target, the oldest first. */
  async findWaiting(tx: Tx, target: EffectTarget, which: Unfinished): Promise<string[]> {
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
