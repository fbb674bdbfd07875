import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  cursorKeys,
  envelope,
  ForOperator,
  Idempotent,
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { Clock, uuidInFilter, uuidOf } from '../../kernel/index.js';
import { Assignments } from '../assignments.js';
import { CaseDesk } from '../case-desk.js';
import { rankOf } from '../domain/review.js';
import { ReviewFiles } from '../review-files.js';
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
    private readonly desk: CaseDesk,
    private readonly assignments: Assignments,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ForOperator('reviews:read')
  @ApiOperation({
    operationId: 'listReviews',
    summary: 'Cases, the most urgent first',
    description:
      'By priority, then by the clock that runs out first. Without `status`, those that are not closed.',
  })
  @ApiPage(ReviewView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: ReviewsQuery,
  ): Promise<Page<ReviewView>> {
    const { limit, cursor } = query;
    const keys = cursorKeys(cursor, 'integer', 'instant', 'uuid');
    const after = keys && { priority: keys[0], dueAt: keys[1], id: keys[2] };
    const now = new Date(this.clock.now());
    const rows = await this.desk.page(operator.organisationId, filterOf(operator, query), now, after, limit);
    return page(
      rows,
      limit,
      (row) => [row.priority, row.dueAt.toISOString(), row.id],
      (row) => ReviewView.of(row, now),
    );
  }

  @Post()
  @ForOperator('reviews:work')
  @Idempotent()
  @ApiOperation({
    operationId: 'openReview',
    summary: 'Open a case',
    description: 'About a customer, a transaction, or both. The reason is kept as its first note.',
  })
  @ApiData(ReviewFileView, { status: HttpStatus.CREATED })
  @ApiErrors('CUSTOMER_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'STATE_CONFLICT')
  async open(
    @Acting() acting: Acting,
    @Body() { customerId, transaction, reason, priority, queue }: OpenReviewBody,
  ): Promise<Success<ReviewFileView>> {
    const review = await this.desk.open(acting, {
      customerId: customerId === undefined ? null : uuidOf('cus', customerId),
      transactionRef: transaction === undefined ? null : uuidOf('txn', transaction),
      reason,
      priority: priority ?? 'MEDIUM',
      queue,
    });
    return this.file(acting, review.id);
  }

  @Post('assignments')
  @ForOperator('reviews:work')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'assignReviews',
    summary: 'Assign many cases',
    description:
      'Gives the named cases to one operator; or, with `automatic`, shares out cases that nobody has: each goes to whoever ' +
      'has the fewest, and nobody gets more than `REVIEWS_PER_ANALYST`.',
  })
  @ApiData(AssignmentsView)
  async assign(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Body() { automatic, reviewIds, assigneeId, queue, kind, limit }: BulkAssignmentBody,
  ): Promise<Success<AssignmentsView>> {
    const assigned =
      automatic === true
        ? await this.assignments.share(acting, { queue, kind, limit: limit ?? 100 })
        : await this.assignments.assign(
            acting,
            (reviewIds ?? []).flatMap((id) => uuidOf('rev', id) ?? []),
            operatorUuid(operator, assigneeId ?? 'me'),
          );
    return envelope(AssignmentsView.of(assigned));
  }

  @Get(':id')
  @ForOperator('reviews:read')
  @ApiParam(REVIEW_ID)
  @ApiOperation({
    operationId: 'getReview',
    summary: 'A case with its transactions, hits and notes',
  })
  @ApiData(ReviewFileView)
  @ApiErrors('REVIEW_NOT_FOUND')
  async one(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ReviewFileView>> {
    return this.file(operator, reviewUuid(id));
  }

  @Get(':id/timeline')
  @ForOperator('reviews:read')
  @ApiParam(REVIEW_ID)
  @ApiOperation({
    operationId: 'getReviewTimeline',
    summary: 'What happened to a case, in order, and whether its trail is whole',
  })
  @ApiData(ReviewTimelineView)
  @ApiErrors('REVIEW_NOT_FOUND')
  async timeline(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ReviewTimelineView>> {
    const { entries, verdict } = await this.files.timeline(organisationId, reviewUuid(id));
    return envelope(ReviewTimelineView.of(entries, verdict));
  }

  private async file(
    { organisationId }: Pick<Acting, 'organisationId'>,
    id: string,
  ): Promise<Success<ReviewFileView>> {
    const file = await this.files.open(organisationId, id);
    return envelope(ReviewFileView.ofFile(file, new Date(this.clock.now())));
  }
}

function filterOf(operator: OperatorPrincipal, query: ReviewsQuery): QueueFilter {
  const { status, kind, priority, queue, assignee, customerId, transaction, overdue } = query;
  return {
    status,
    // A case that is overdue may be closed and not communicated.
    open: overdue === true ? undefined : true,
    kind,
    priority: priority && rankOf(priority),
    queue,
    assigneeId:
      assignee === undefined ? undefined : assignee === 'none' ? null : operatorUuid(operator, assignee),
    customerId: uuidInFilter('cus', customerId, 'customerId'),
    transactionRef: uuidInFilter('txn', transaction, 'transaction'),
    overdue,
  };
}
