import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { isOvertaken, retry, UnitOfWork, type Tx } from '../../../platform/database/index.js';
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

/** A decision on its way to where it belongs. */
export interface DecidedReview {
  readonly reviewId: string;
  readonly organisationId: string;
  readonly resolution: Resolution;
  readonly outcome: 'APPROVED' | 'REJECTED';
  /** Who proposed it and who approved it. */
  readonly maker: string;
  readonly checker: string;
  readonly decidedAt: Date;
  /** Whether one person decided alone, because nobody independent was there. */
  readonly singleControl: boolean;
  /** The session that the case is about: the id of its row. */
  readonly sessionRef: string | null;
}

// Longer than a decision takes to be carried out.
const LOST_AFTER_SECONDS = 30;
const MAX_TRIES = 5;

/** The part of an audit entry that says who decided, and what. */
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

/** The part of the service that a decision still has to reach. */
type EffectTarget = ReviewEffectEntity['target'];

/** The queue through which each part of the service above this one hears of decisions. */
const queueOf: Readonly<Record<EffectTarget, QueueName>> = {
  KYT: 'kyt.review-decided',
  SESSIONS: 'sessions.review-decided',
};

/**
 * Carries decisions up, exactly once: what a decision still has to reach is a row, written in the commit that closes
 * the case and deleted in the commit of its effect. Jobs only say where to look.
 */
@Injectable()
export class ReviewEffects {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly queries: ReviewQueries,
  ) {}

  /** In the commit that closes a case. */
  async announce(tx: Tx, { id, organisationId, kind, linked, sessionRef, report }: ReviewRow): Promise<void> {
    // Who drafts communications finds the case by itself as well; this is only sooner.
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

  /** Carries out those of these decisions that have not arrived. Safe to repeat, and after a crash. */
  async carryOut(
    target: EffectTarget,
    reviewIds: readonly string[],
    decide: (decided: DecidedReview) => Promise<void>,
  ): Promise<void> {
    for (const decided of await this.pending(target, reviewIds)) await decide(decided);
  }

  /**
   * Commits what `prepare` gives, unless the decision has arrived meanwhile; with `last` it has arrived then. All of it
   * again when an evaluation or another event took the place of an event meanwhile.
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
          // A concurrent run of the same decision waits here, and then finds it done.
          const lock = { mode: 'pessimistic_write' } as const;
          if (!(await tx.findOne(ReviewEffectEntity, { where: { reviewId, target }, lock }))) return;
          await work(tx);
          if (last) await tx.delete(ReviewEffectEntity, { reviewId, target });
        });
      },
      { maxAttempts: MAX_TRIES, retryOn: isOvertaken },
    );
  }

  /** Decisions that have not arrived at this target; of the others nothing is left to do. */
  async pending(target: EffectTarget, reviewIds: readonly string[]): Promise<DecidedReview[]> {
    const rows = await this.queries.decided(target, reviewIds);
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

  /** The transactions that a decided case is about, each with its newest evaluation in it, page by page. */
  transactions(
    { organisationId, reviewId }: DecidedReview,
    after: string | null,
    limit: number,
  ): Promise<LinkedTransaction[]> {
    return this.queries.transactions(organisationId, reviewId, after, limit, DECIDED_ORIGINS);
  }

  /** Decisions for a target that nobody has carried out. */
  async waiting(tx: Tx, target: EffectTarget, which: Unfinished): Promise<string[]> {
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
