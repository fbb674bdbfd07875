import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  Route,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { Clock, uuidInFilter, uuidOf } from '../../kernel/index.js';
import { Assignments } from '../cases/assignments.service.js';
import { CasesService } from '../cases/cases.service.js';
import { rankOf } from '../domain/review.js';
import { ReviewFiles } from '../cases/review-files.service.js';
import type { QueueFilter } from '../store/review.queries.js';
import { BulkAssignmentBody, OpenReviewBody, ReviewsQuery } from './review.dto.js';
import { AssignmentsView, ReviewFileView, ReviewTimelineView, ReviewView } from './review.view.dto.js';
import { operatorUuid, REVIEW_ID, reviewUuid } from './review-ids.js';

/** The queue of cases, and cases with everything that belongs to them. */
@ApiTags('Reviews')
@Controller('operator/reviews')
export class ReviewsController {
  constructor(
    private readonly files: ReviewFiles,
    private readonly cases: CasesService,
    private readonly assignments: Assignments,
    private readonly clock: Clock,
  ) {}

  @Route.get('', forOperator('reviews:read'), {
    summary: 'Cases, the most urgent first',
    description:
      'By priority, then by the clock that runs out first. Without `status`, those that are not closed.',
    page: ReviewView,
  })
  async listReviews(@CurrentOperator() operator: OperatorPrincipal, @Query() query: ReviewsQuery) {
    const { limit, cursor } = query;
    const keys = cursorKeys(cursor, 'integer', 'instant', 'uuid');
    const after = keys && { priority: keys[0], dueAt: keys[1], id: keys[2] };
    const now = new Date(this.clock.now());
    const rows = await this.cases.page(operator.organisationId, filterOf(operator, query), now, after, limit);
    return page(
      rows,
      limit,
      (row) => [row.priority, row.dueAt.toISOString(), row.id],
      (row) => ReviewView.of(row, now),
    );
  }

  @Route.post('', forOperator('reviews:work'), {
    summary: 'Open a case',
    description: 'About a customer, a transaction, or both. The reason is kept as its first note.',
    data: ReviewFileView,
    status: 201,
    errors: ['CUSTOMER_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async openReview(
    @CurrentActor() ctx: ActorContext,
    @Body() { customerId, transaction, reason, priority, queue }: OpenReviewBody,
  ) {
    const review = await this.cases.open(ctx, {
      customerId: customerId === undefined ? null : uuidOf('cus', customerId),
      transactionRef: transaction === undefined ? null : uuidOf('txn', transaction),
      reason,
      priority: priority ?? 'MEDIUM',
      queue,
    });
    return this.file(ctx, review.id);
  }

  @Route.post('assignments', forOperator('reviews:work'), {
    summary: 'Assign many cases',
    description:
      'Gives the named cases to one operator; or, with `automatic`, shares out cases that nobody has: each goes to whoever ' +
      'has the fewest, and nobody gets more than `REVIEWS_PER_ANALYST`.',
    data: AssignmentsView,
  })
  async assignReviews(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Body() { automatic, reviewIds, assigneeId, queue, kind, limit }: BulkAssignmentBody,
  ) {
    const assigned =
      automatic === true
        ? await this.assignments.share(ctx, { queue, kind, limit: limit ?? 100 })
        : await this.assignments.assign(
            ctx,
            (reviewIds ?? []).flatMap((id) => uuidOf('rev', id) ?? []),
            operatorUuid(operator, assigneeId ?? 'me'),
          );
    return envelope(AssignmentsView.of(assigned));
  }

  @Route.get(':id', forOperator('reviews:read'), {
    summary: 'A case with its transactions, hits and notes',
    params: [REVIEW_ID],
    data: ReviewFileView,
    errors: ['REVIEW_NOT_FOUND'],
  })
  async getReview(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return this.file(operator, reviewUuid(id));
  }

  @Route.get(':id/timeline', forOperator('reviews:read'), {
    summary: 'What happened to a case, in order, and whether its trail is whole',
    params: [REVIEW_ID],
    data: ReviewTimelineView,
    errors: ['REVIEW_NOT_FOUND'],
  })
  async getReviewTimeline(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    const { entries, verdict } = await this.files.timeline(organisationId, reviewUuid(id));
    return envelope(ReviewTimelineView.of(entries, verdict));
  }

  private async file(
    { organisationId }: Pick<ActorContext, 'organisationId'>,
    id: string,
  ): Promise<Success<ReviewFileView>> {
    const file = await this.files.open(organisationId, id);
    return envelope(ReviewFileView.ofFile(file, new Date(this.clock.now())));
  }
}

function filterOf(operator: OperatorPrincipal, query: ReviewsQuery): QueueFilter {
  const { status, kind, theme, priority, queue, assignee, customerId, transaction, overdue } = query;
  return {
    status,
    // A case that is overdue may be closed and not communicated.
    open: overdue === true ? undefined : true,
    kind,
    theme,
    priority: priority && rankOf(priority),
    queue,
    assigneeId:
      assignee === undefined ? undefined : assignee === 'none' ? null : operatorUuid(operator, assignee),
    customerId: uuidInFilter('cus', customerId, 'customerId'),
    transactionRef: uuidInFilter('txn', transaction, 'transaction'),
    overdue,
  };
}
