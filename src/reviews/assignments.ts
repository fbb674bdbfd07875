import { Injectable } from '@nestjs/common';
import { type Acting, type AuditDraft, AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { OperatorRoster } from '../http/index.js';
import { Clock, DomainError, publicId } from '../kernel/index.js';
import { stepOf } from './acting.js';
import { shareOut, type Share } from './domain/sharing.js';
import type { ReviewKind } from './domain/review.js';
import type { ReviewRow } from './store/review.queries.js';
import { ReviewRepository } from './store/review.repository.js';

/** Which cases are shared out. */
export interface Sharing {
  readonly queue?: string | undefined;
  readonly kind?: ReviewKind | undefined;
  readonly limit: number;
}

/** What became of each case that was to be assigned. */
export interface Assigned {
  readonly assignments: readonly Share[];
  /** Cases that are not there, are closed, or found nobody with room for them. */
  readonly left: readonly string[];
}

/** Gives out many cases at once. */
@Injectable()
export class Assignments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly roster: OperatorRoster,
    private readonly reviews: ReviewRepository,
  ) {}

  /** Gives these cases to one operator. */
  async assign(acting: Acting, ids: readonly string[], assigneeId: string): Promise<Assigned> {
    const analysts = await this.analysts(acting.organisationId);
    if (!analysts.includes(assigneeId)) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [
          {
            path: 'assigneeId',
            code: 'NOT_A_REVIEWER',
            message: 'Must be an operator of this organisation who may work on reviews.',
          },
        ],
      });
    }
    return this.uow.run(acting.organisationId, async (tx) => {
      const found: ReviewRow[] = [];
      // In one order, so that two of these never wait for each other.
      for (const id of [...ids].sort()) {
        const review = await this.reviews.lock(tx, acting.organisationId, id);
        if (review && review.status !== 'CLOSED') found.push(review);
      }
      const shares = found.map(({ id }) => ({ reviewId: id, operatorId: assigneeId }));
      await this.store(tx, acting, found, shares);
      const done = new Set(found.map(({ id }) => id));
      return { assignments: shares, left: ids.filter((id) => !done.has(id)) };
    });
  }

  /** Gives cases that nobody has to whoever has the fewest, and to nobody more than the cap. */
  async share(acting: Acting, { queue, kind, limit }: Sharing): Promise<Assigned> {
    const analysts = await this.analysts(acting.organisationId);
    return this.uow.run(acting.organisationId, async (tx) => {
      await this.reviews.takeTurn(tx, acting.organisationId);
      const load = await this.reviews.load(tx, acting.organisationId);
      const cases = await this.reviews.lockUnassigned(tx, acting.organisationId, { queue, kind }, limit);
      const { shares, left } = shareOut(
        cases.map(({ id }) => id),
        analysts.map((id) => ({ id, open: load.get(id) ?? 0 })),
        this.settings.reviewsPerAnalyst,
      );
      await this.store(tx, acting, cases, shares);
      return { assignments: shares, left };
    });
  }

  /** Gives one case to whoever has the fewest; refused when nobody has room for it. */
  async shareOne(acting: Acting, id: string): Promise<void> {
    const analysts = await this.analysts(acting.organisationId);
    await this.uow.run(acting.organisationId, async (tx) => {
      await this.reviews.takeTurn(tx, acting.organisationId);
      const load = await this.reviews.load(tx, acting.organisationId);
      const review = await this.reviews.lock(tx, acting.organisationId, id);
      if (!review) throw new DomainError('REVIEW_NOT_FOUND');
      if (review.status === 'CLOSED') throw conflict('CLOSED', 'A closed case belongs to nobody.');
      const workers = analysts.map((one) => ({ id: one, open: load.get(one) ?? 0 }));
      const { shares } = shareOut([id], workers, this.settings.reviewsPerAnalyst);
      if (shares.length === 0) {
        throw conflict('NOBODY_FREE', 'Everybody has as many cases as the cap allows.');
      }
      await this.store(tx, acting, [review], shares);
    });
  }

  /** People who decide about cases. */
  private async analysts(organisationId: string): Promise<string[]> {
    const roster = await this.roster.enabled(organisationId);
    return roster
      .filter(({ kind, permissions }) => kind === 'PERSON' && permissions.has('reviews:work'))
      .map(({ id }) => id);
  }

  private async store(
    tx: Tx,
    acting: Acting,
    cases: readonly ReviewRow[],
    shares: readonly Share[],
  ): Promise<void> {
    const at = new Date(this.clock.now());
    const before = new Map(cases.map(({ id, assigneeId }) => [id, assigneeId]));
    const entries: AuditDraft[] = [];
    for (const { reviewId, operatorId } of shares) {
      await this.reviews.assign(tx, reviewId, operatorId, at);
      const former = before.get(reviewId) ?? null;
      entries.push(
        stepOf(acting, reviewId, 'review.assigned', at, {
          assignee: publicId('opr', operatorId),
          before: former === null ? null : publicId('opr', former),
        }),
      );
    }
    await this.audit.record(tx, entries);
  }
}

const conflict = (code: string, message: string): DomainError =>
  new DomainError('STATE_CONFLICT', { details: [{ path: 'assigneeId', code, message }] });
