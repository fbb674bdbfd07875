import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { envelope, forOperator, Route, type SuccessEnvelope } from '../../../platform/http/index.js';
import { Clock, requireUuid } from '../../../platform/kernel/index.js';
import { CasePeopleService } from '../case-people.service.js';
import { CaseMergesService } from '../cases/case-merges.service.js';
import { ReviewFilesService } from '../cases/review-files.service.js';
import { AddPeopleBody, MergeBody, SplitBody } from './case-parts.dto.js';
import { CaseReasonBody } from './review.dto.js';
import { ReviewFileView } from './review.view.dto.js';
import { REVIEW_ID, reviewUuid, transactionUuid } from './review-ids.js';

const STEP_ERRORS = ['REVIEW_NOT_FOUND', 'STATE_CONFLICT'] as const;

/** Merges and splits cases, and changes the people of a case. */
@ApiTags('Reviews')
@Controller('operator/reviews/:id')
@ApiParam(REVIEW_ID)
export class CasePartsController {
  constructor(
    private readonly merges: CaseMergesService,
    private readonly people: CasePeopleService,
    private readonly files: ReviewFilesService,
    private readonly clock: Clock,
  ) {}

  @Route.post('merge', forOperator('reviews:work'), {
    summary: 'Bring everything that another case is about into this one',
    description:
      'Both are about the same customer, and nobody was asked to approve a decision of either. The other one becomes ' +
      '`MERGED`; its alerts are decided with this one. The earlier deadline and the graver priority count. `unmerge` of ' +
      'the other one undoes it.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS],
  })
  async mergeReviews(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { review, reason }: MergeBody,
  ) {
    const into = reviewUuid(id);
    await this.merges.merge(ctx, into, reviewUuid(review), reason);
    return this.fileAnswer(ctx, into);
  }

  @Route.post('unmerge', forOperator('reviews:work'), {
    summary: 'Take a merged case out of the other one again, with what it brought',
    description: 'The other case is open again with its own alerts, and both go on by themselves.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS],
  })
  async unmergeReview(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: CaseReasonBody,
  ) {
    const review = reviewUuid(id);
    await this.merges.unmerge(ctx, review, reason);
    return this.fileAnswer(ctx, review);
  }

  @Route.post('split', forOperator('reviews:work'), {
    summary: 'Make a case of its own of some of the alerts, to be decided by itself',
    description:
      'The new case has the customer, theme, queue, assignee and deadlines of this one. A merge of it into this one undoes ' +
      'the split.',
    data: [ReviewFileView, 'The new case.'],
    status: 201,
    errors: [...STEP_ERRORS, 'TRANSACTION_NOT_FOUND', 'HIT_NOT_FOUND'],
    idempotent: true,
  })
  async splitReview(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { transactions = [], hits = [], reason }: SplitBody,
  ) {
    const chosen = {
      transactionRefs: transactions.map(transactionUuid),
      hitIds: hits.map((hit) => requireUuid('hit', hit, 'HIT_NOT_FOUND')),
    };
    return this.fileAnswer(ctx, await this.merges.split(ctx, reviewUuid(id), chosen, reason));
  }

  @Route.post('people', forOperator('reviews:work'), {
    summary: 'Add people to what the case tells',
    description:
      'Customers who belong to it beside the one whose case it is. They stand in its file; its decision changes nothing ' +
      'about them.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS, 'CUSTOMER_NOT_FOUND'],
  })
  async addReviewPeople(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { customers, reason }: AddPeopleBody,
  ) {
    const review = reviewUuid(id);
    await this.people.add(ctx, review, customers.map(customerUuid), reason);
    return this.fileAnswer(ctx, review);
  }

  @Route.post('people/:customer/remove', forOperator('reviews:work'), {
    summary: 'Take a person out again that somebody has added',
    description: 'Only who was added by hand can be removed; the customer of the case stays.',
    params: [
      {
        name: 'customer',
        description: 'The id of the customer.',
        example: 'cus_019364d0c0de7000a000000000000001',
      },
    ],
    data: [ReviewFileView, 'The case without that person.'],
    errors: [...STEP_ERRORS, 'CUSTOMER_NOT_FOUND'],
  })
  async removeReviewPerson(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Param('customer') customer: string,
    @Body() { reason }: CaseReasonBody,
  ) {
    const review = reviewUuid(id);
    await this.people.remove(ctx, review, customerUuid(customer), reason);
    return this.fileAnswer(ctx, review);
  }

  private async fileAnswer(
    { organisationId }: ActorContext,
    id: string,
  ): Promise<SuccessEnvelope<ReviewFileView>> {
    const file = await this.files.readFile(organisationId, id);
    return envelope(ReviewFileView.ofFile(file, new Date(this.clock.now())));
  }
}

const customerUuid = (id: string): string => requireUuid('cus', id, 'CUSTOMER_NOT_FOUND');
