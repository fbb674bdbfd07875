import { Injectable } from '@nestjs/common';
import { system, UnitOfWork, type Tx } from '../database/index.js';
import { Outbox, type QueueName, type WorkSource } from '../queue/index.js';
import { outcomeOf, type Resolution } from './domain/review.js';
import { REVIEW, ReviewQueries, type LinkedTransaction, type ReviewRow } from './store/review.queries.js';
import { ReviewRepository, type EffectTarget } from './store/review.repository.js';

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
  /** The session that the case is about: the id of its row. */
  readonly sessionRef: string | null;
}

// Longer than a decision takes to be carried out.
const LOST_AFTER_SECONDS = 30;

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
    private readonly reviews: ReviewRepository,
    private readonly queries: ReviewQueries,
  ) {}

  /** In the commit that closes a case. */
  async announce(tx: Tx, { id, organisationId, kind, linked, sessionRef, report }: ReviewRow): Promise<void> {
    // Who drafts communications finds the case by itself as well; this is only sooner.
    if (report === 'COMMUNICATE') this.outbox.append(tx, 'dossiers.coaf', [id]);
    const targets: EffectTarget[] = [
      ...(linked > 0 ? (['KYT'] as const) : []),
      // What a session lacks says nothing about what it came to.
      ...(sessionRef === null || kind === 'DATA_GAP' ? [] : (['SESSIONS'] as const)),
    ];
    for (const target of targets) {
      await this.reviews.addEffect(tx, organisationId, id, target);
      this.outbox.append(tx, queueOf[target], [id]);
    }
  }

  /** Decisions that have not arrived at this target; of the others nothing is left to do. */
  async pending(target: EffectTarget, reviewIds: readonly string[]): Promise<DecidedReview[]> {
    const rows: ReviewRow[] = await this.uow.read(system('reviews.effects'), (db) =>
      db.query(
        `SELECT ${REVIEW} FROM review_effects e JOIN reviews r ON r.id = e.review_id
         WHERE e.target = $1 AND e.review_id = ANY ($2::uuid[]) AND r.status = 'CLOSED'`,
        [target, [...reviewIds]],
      ),
    );
    return rows.flatMap(({ id, organisationId, resolution, proposedBy, closedBy, closedAt, sessionRef }) =>
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
            },
          ]
        : [],
    );
  }

  /** The transactions of a decided case, each with its newest evaluation in it, page by page. */
  transactions(
    { organisationId, reviewId }: DecidedReview,
    after: string | null,
    limit: number,
  ): Promise<LinkedTransaction[]> {
    return this.queries.transactions(organisationId, reviewId, after, limit);
  }

  /** Holds a decision until the transaction ends; false when it has arrived meanwhile. */
  async hold(tx: Tx, target: EffectTarget, reviewId: string): Promise<boolean> {
    return this.reviews.lockEffect(tx, reviewId, target);
  }

  /** The decision has arrived. */
  async arrived(tx: Tx, target: EffectTarget, reviewId: string): Promise<void> {
    await this.reviews.endEffect(tx, reviewId, target);
  }

  /** What the reconciler has to know of the decisions for a target. */
  waiting(name: string, target: EffectTarget): WorkSource {
    return {
      name,
      requeueLost: (tx) => this.requeue(tx, target, LOST_AFTER_SECONDS),
      requeueAll: (tx) => this.requeue(tx, target, 0),
    };
  }

  private async requeue(tx: Tx, target: EffectTarget, olderThanSeconds: number): Promise<number> {
    const ids = await this.reviews.waitingEffects(tx, target, olderThanSeconds);
    for (const id of ids) this.outbox.append(tx, queueOf[target], [id]);
    return ids.length;
  }
}
