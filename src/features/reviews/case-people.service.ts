import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail } from '../audit/index.js';
import { CustomersService } from '../customers/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock, conflict, digestOf, DomainError, publicId } from '../../platform/kernel/index.js';
import { reviewAuditDraft } from './audit-step.js';
import { ReviewNotesService } from './cases/review-notes.service.js';
import { isEnded } from './domain/review.js';
import { ReviewPersonEntity, ReviewEntity } from './store/entities.js';
import { ReviewQueries } from './store/review.queries.js';
import { ReviewRepository } from './store/review.repository.js';

// Maximum number of people in a case: nobody could keep an overview of more.
const MAX_PEOPLE = 100;

/** Adds people to a case and removes them: persons involved in addition to the customer of the case. */
@Injectable()
export class CasePeopleService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly notes: ReviewNotesService,
  ) {}

  /** Adds customers of the organisation; ignores customers who are already in the case. */
  async add(ctx: ActorContext, id: string, customerIds: readonly string[], reason: string): Promise<void> {
    const { organisationId } = ctx;
    const survivingIds = await Promise.all(
      customerIds.map((one) => this.customers.findSurvivingId(organisationId, one)),
    );
    const addedIds = [...new Set(survivingIds.filter((one) => one !== null))];
    if (survivingIds.includes(null)) throw new DomainError('CUSTOMER_NOT_FOUND');
    await this.changePeople(ctx, id, reason, async (tx, owner) => {
      const currentPeople = await this.findPeople(organisationId, id, tx);
      const added = addedIds.filter((one) => one !== owner && !currentPeople.includes(one));
      if (currentPeople.length + added.length > MAX_PEOPLE) {
        throw conflict('customers', 'TOO_MANY', `A case has at most ${MAX_PEOPLE} people.`);
      }
      const rows = added.map((customerId) => ({ reviewId: id, organisationId, customerId }));
      if (rows.length > 0) await tx.insert(ReviewPersonEntity, rows);
      return { added };
    });
  }

  async remove(ctx: ActorContext, id: string, customerId: string, reason: string): Promise<void> {
    await this.changePeople(ctx, id, reason, async (tx) => {
      const personRow = { reviewId: id, organisationId: ctx.organisationId, customerId };
      const { affected } = await tx.delete(ReviewPersonEntity, personRow);
      if (!affected) throw new DomainError('CUSTOMER_NOT_FOUND');
      return { removed: [customerId] };
    });
  }

  private async findPeople(organisationId: string, reviewId: string, tx: Tx): Promise<string[]> {
    const rows = await tx.findBy(ReviewPersonEntity, { organisationId, reviewId });
    return rows.map(({ customerId }) => customerId);
  }

  private async changePeople(
    ctx: ActorContext,
    id: string,
    reason: string,
    step: (tx: Tx, owner: string | null) => Promise<Readonly<Partial<Record<'added' | 'removed', string[]>>>>,
  ): Promise<void> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    const review = await this.queries.get(organisationId, id);
    const note = await this.notes.compose(review, ctx.actor.id, { kind: 'NOTE', text: reason }, now);
    await this.uow.run(organisationId, async (tx) => {
      const lockedReview = await this.reviews.lock(tx, organisationId, id);
      if (!lockedReview || isEnded(lockedReview.status)) {
        throw conflict('status', 'CLOSED', 'A case at its end takes nobody more.');
      }
      const { added = [], removed = [] } = await step(tx, lockedReview.customerId);
      await tx.update(ReviewEntity, { id }, { revision: () => 'revision + 1', updatedAt: now });
      await this.reviews.insertNote(tx, note);
      const people = (ids: readonly string[]): string[] => [...ids].sort().map((one) => publicId('cus', one));
      const content = {
        [added.length > 0 ? 'addedPeople' : 'removedPeople']: people([...added, ...removed]),
      };
      await this.audit.record(tx, [
        reviewAuditDraft(ctx, id, 'review.extended', now, content),
        reviewAuditDraft(ctx, id, 'review.noted', now, {
          ...{ note: publicId('nte', note.id), text: digestOf(note.sealed), artifacts: [] },
        }),
      ]);
    });
  }
}
