import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError } from '../../../platform/kernel/index.js';
import { NO_FACTS, OPENED_BY_HAND } from '../domain/alert.js';
import type { Priority } from '../domain/review.js';
import { CaseReopeningService } from '../case-reopening.service.js';
import { ReviewNotesService } from './review-notes.service.js';
import { CaseTransactionReader, type ReviewedTransaction } from '../case-transaction-reader.js';
import { ReviewsService } from './reviews.service.js';
import type { QueueFilter, QueueOrder, QueueCursor } from '../store/queue-query.js';
import { ReviewQueries, type ReviewRow } from '../store/review.queries.js';

/** The values of a case that an operator opens. */
export interface ManualCase {
  readonly customerId: string | null;
  readonly transactionRef: string | null;
  readonly reason: string;
  readonly priority: Priority;
  readonly queue?: string | undefined;
}

/** Opens and reopens cases for operators. */
@Injectable()
export class CasesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly caseTransactionReader: CaseTransactionReader,
    private readonly reviewsService: ReviewsService,
    private readonly reopening: CaseReopeningService,
    private readonly notes: ReviewNotesService,
    private readonly queries: ReviewQueries,
  ) {}

  /** Lists cases in queue order. Filtering by a merged customer finds the cases of the surviving customer. */
  async page(
    organisationId: string,
    filter: QueueFilter,
    now: Date,
    after: QueueCursor | null,
    limit: number,
    order?: QueueOrder,
  ): Promise<ReviewRow[]> {
    const customerId = await this.customers.resolveId(organisationId, filter.customerId);
    return this.queries.page(organisationId, { ...filter, customerId }, now, after, limit, order);
  }

  async open(ctx: ActorContext, manual: ManualCase): Promise<ReviewRow> {
    const { organisationId } = ctx;
    const { transactionRef, reason, priority, queue } = manual;
    const customerId =
      manual.customerId === null
        ? null
        : await this.customers.findSurvivingId(organisationId, manual.customerId);
    if (manual.customerId !== null && customerId === null) throw new DomainError('CUSTOMER_NOT_FOUND');
    const transaction =
      transactionRef === null ? null : await this.requireTransaction(organisationId, transactionRef);
    const now = new Date(this.clock.now());
    const [opened] = await this.uow.run(organisationId, (tx) =>
      this.reviewsService.openCases(
        tx,
        [
          {
            organisationId,
            kind: 'MANUAL',
            theme: 'OTHER',
            customerId,
            clientAppId: transaction?.clientAppId ?? null,
            ...(transaction
              ? {
                  transaction: {
                    ref: transaction.ref,
                    evaluationVersion: transaction.evaluationVersion ?? 1,
                  },
                }
              : {}),
            priority,
            ...(queue === undefined ? {} : { queue }),
            riskScore: transaction?.riskScore ?? null,
            facts: {
              ...NO_FACTS,
              lead: OPENED_BY_HAND,
              amountCents: transaction ? centsIn(transaction) : null,
              rules: transaction?.rules ?? [],
            },
            occurredAt: transaction?.occurredAt ?? now,
            requestId: ctx.requestId,
            correlationId: ctx.correlationId,
          },
        ],
        ctx.actor,
      ),
    );
    if (!opened) throw new Error('a case was not opened');
    return this.recordReason(ctx, opened.reviewId, reason);
  }

  /** Opens a new case with the alerts of a closed case. Throws STATE_CONFLICT if it is open or was reopened already. */
  async reopen(ctx: ActorContext, id: string, reason: string): Promise<ReviewRow> {
    const { organisationId } = ctx;
    const reopened = await this.uow.run(organisationId, (tx) => this.reopening.reopenClosed(tx, ctx, id));
    return this.recordReason(ctx, reopened, reason);
  }

  private async recordReason(ctx: ActorContext, id: string, reason: string): Promise<ReviewRow> {
    const review = await this.queries.get(ctx.organisationId, id);
    await this.notes.recordReason(ctx, review, reason, new Date(this.clock.now()));
    return review;
  }

  private async requireTransaction(organisationId: string, ref: string): Promise<ReviewedTransaction> {
    const [found] = await this.caseTransactionReader.readTransactions(organisationId, [ref]);
    if (!found) throw new DomainError('TRANSACTION_NOT_FOUND');
    if (found.evaluationVersion === null) {
      throw conflict('transactionId', 'NOT_EVALUATED', 'The transaction is not evaluated yet.');
    }
    return found;
  }
}

/** The amount in centavos; null if the currency is not BRL, because nothing is converted here. */
const centsIn = ({ amount, currency }: ReviewedTransaction): number | null =>
  currency === 'BRL' ? Math.round(Number(amount) * 100) : null;
