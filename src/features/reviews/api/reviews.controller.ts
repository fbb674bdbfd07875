import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
  type SuccessEnvelope,
} from '../../../platform/http/index.js';
import { Clock, uuidOf } from '../../../platform/kernel/index.js';
import { AssignmentsService } from '../cases/assignments.service.js';
import { CasesService } from '../cases/cases.service.js';
import { ReviewFilesService } from '../cases/review-files.service.js';
import { BulkAssignmentBody, OpenReviewBody } from './review.dto.js';
import { AssignmentsView, ReviewFileView, ReviewTimelineView } from './review.view.dto.js';
import { operatorUuid, REVIEW_ID, reviewUuid } from './review-ids.js';

@ApiTags('Reviews')
@Controller('operator/reviews')
export class ReviewsController {
  constructor(
    private readonly files: ReviewFilesService,
    private readonly cases: CasesService,
    private readonly assignments: AssignmentsService,
    private readonly clock: Clock,
  ) {}

  @Route.post('', forOperator('reviews:work'), {
    summary: 'Open a case',
    description: 'About a customer, a transaction, or both. The reason is kept as its first note.',
    data: [ReviewFileView, 'The new case.'],
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
    return this.fileAnswer(ctx, review.id);
  }

  @Route.post('assignments', forOperator('reviews:work'), {
    summary: 'Assign many cases',
    description:
      'Gives the named cases to one operator; or, with `automatic`, shares out cases that nobody has: each goes to whoever ' +
      'has the fewest, and nobody gets more than `REVIEWS_PER_ANALYST`. With `preview` nothing is done.',
    data: [AssignmentsView, 'The number of open cases of each person.'],
  })
  async assignReviews(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Body()
    { automatic, reviewIds, assigneeId, queue, kind, limit = 100, preview = false }: BulkAssignmentBody,
  ) {
    const assigned =
      automatic === true
        ? await this.assignments.distribute(ctx, { queue, kind, limit, preview })
        : await this.assignments.assign(
            ctx,
            (reviewIds ?? []).flatMap((id) => uuidOf('rev', id) ?? []),
            operatorUuid(operator, assigneeId ?? 'me'),
            preview,
          );
    return envelope(AssignmentsView.of(assigned, preview));
  }

  @Route.get(':id', forOperator('reviews:read'), {
    reads: 'review',
    summary: 'A case with its transactions, hits and notes',
    description:
      'The case as a person works on it. `GET /operator/reviews/{id}/file` also has what it is about, in one answer.',
    params: [REVIEW_ID],
    data: [ReviewFileView, 'The case.'],
    errors: ['REVIEW_NOT_FOUND'],
  })
  async getReview(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return this.fileAnswer(operator, reviewUuid(id));
  }

  @Route.get(':id/timeline', forOperator('reviews:read'), {
    reads: 'review',
    summary: 'What happened to a case, in order, and whether its trail is whole',
    description: 'Entries of its audit trail, each with who did it.',
    params: [REVIEW_ID],
    data: [ReviewTimelineView, 'The timeline.'],
    errors: ['REVIEW_NOT_FOUND'],
  })
  async getReviewTimeline(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    const { entries, verdict } = await this.files.readTimeline(organisationId, reviewUuid(id));
    return envelope(ReviewTimelineView.of(entries, verdict));
  }

  private async fileAnswer(
    { organisationId }: Pick<ActorContext, 'organisationId'>,
    id: string,
  ): Promise<SuccessEnvelope<ReviewFileView>> {
    const file = await this.files.readFile(organisationId, id);
    return envelope(ReviewFileView.ofFile(file, new Date(this.clock.now())));
  }
}
