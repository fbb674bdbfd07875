import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
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
import { CaseDecisionsService } from '../cases/case-decisions.service.js';
import { CaseTransactionsService } from '../cases/case-transactions.service.js';
import { CasesService } from '../cases/cases.service.js';
import { ReviewWorkflowService } from '../cases/review-workflow.service.js';
import { ReviewFilesService } from '../cases/review-files.service.js';
import {
  AddTransactionsBody,
  AssignBody,
  DecisionBody,
  NoteBody,
  CaseReasonBody,
  RequestInfoBody,
} from './review.dto.js';
import { RelatedTransactionsView, ReviewFileView } from './review.view.dto.js';
import { operatorUuid, REVIEW_ID, reviewUuid, transactionUuid } from './review-ids.js';

const STEP_ERRORS = ['REVIEW_NOT_FOUND', 'STATE_CONFLICT'] as const;

@ApiTags('Reviews')
@Controller('operator/reviews/:id')
@ApiParam(REVIEW_ID)
export class ReviewStepsController {
  constructor(
    private readonly workflow: ReviewWorkflowService,
    private readonly decisions: CaseDecisionsService,
    private readonly cases: CasesService,
    private readonly assignments: AssignmentsService,
    private readonly transactions: CaseTransactionsService,
    private readonly files: ReviewFilesService,
    private readonly clock: Clock,
  ) {}

  @Route.post('assign', forOperator('reviews:work'), {
    summary: 'Assign a case',
    description: 'To an operator, to `me` (which begins the analysis), to nobody, or automatically.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS, 'OPERATOR_NOT_FOUND'],
  })
  async assignReview(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { assigneeId, automatic }: AssignBody,
  ) {
    const review = reviewUuid(id);
    if (automatic === true) await this.assignments.assignToLeastBusy(ctx, review);
    else {
      const to = assigneeId === null ? null : operatorUuid(operator, assigneeId ?? 'me');
      await this.workflow.assign(ctx, review, to);
    }
    return this.fileAnswer(ctx, review);
  }

  @Route.post('notes', forOperator('reviews:work'), {
    summary: 'Write a note, with files that belong to it',
    description:
      'Notes cannot be changed or removed. Upload files first, with `POST /operator/reviews/{id}/attachments`.',
    data: [ReviewFileView, 'The case with the note.'],
    status: 201,
    errors: [...STEP_ERRORS, 'ARTIFACT_NOT_FOUND'],
    idempotent: true,
  })
  async noteReview(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Body() body: NoteBody) {
    return this.fileAnswer(
      ctx,
      await this.workflow.note(ctx, reviewUuid(id), { kind: 'NOTE', ...textOf(body) }),
    );
  }

  @Route.post('transactions', forOperator('reviews:work'), {
    summary: 'Add transactions to what the case tells',
    description:
      'Transactions that did not ask for the case and belong to it: the payments that filled the account before it was ' +
      'emptied. They stand in its file and in its communication to COAF; its decision changes none of them.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS, 'TRANSACTION_NOT_FOUND'],
  })
  async addReviewTransactions(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { transactions, reason }: AddTransactionsBody,
  ) {
    const review = reviewUuid(id);
    await this.transactions.add(ctx, review, transactions.map(transactionUuid), reason);
    return this.fileAnswer(ctx, review);
  }

  @Route.get('related-transactions', forOperator('reviews:read'), {
    reads: 'review',
    summary: 'Payments around the alerts that are not in the case',
    description:
      'Evaluated transactions of the customer from 24 hours before the first alert to 24 hours after the last one. A case ' +
      'that is communicated has all of them, or its decision says why not.',
    data: [RelatedTransactionsView, 'The payments, in the order of receipt.'],
    errors: ['REVIEW_NOT_FOUND'],
  })
  async listRelatedTransactions(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ) {
    return envelope(
      RelatedTransactionsView.of(await this.transactions.findRelated(organisationId, reviewUuid(id))),
    );
  }

  @Route.post('related-transactions', forOperator('reviews:work'), {
    summary: 'Add all of these payments to what the case tells',
    description: 'As if each of them had been named in `POST /operator/reviews/{id}/transactions`.',
    data: [ReviewFileView, 'The case with these payments.'],
    errors: [...STEP_ERRORS, 'TRANSACTION_NOT_FOUND'],
  })
  async addRelatedTransactions(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: CaseReasonBody,
  ) {
    const review = reviewUuid(id);
    await this.transactions.addRelated(ctx, review, reason);
    return this.fileAnswer(ctx, review);
  }

  @Route.post('transactions/:transaction/remove', forOperator('reviews:work'), {
    summary: 'Take a transaction out again that a person has added',
    description: 'Only what was added by hand can be removed; the alerts of the case stay.',
    params: [
      {
        name: 'transaction',
        description: 'The id of the transaction.',
        example: 'txn_019364d0c0de7000a000000000000001',
      },
    ],
    data: [ReviewFileView, 'The case without that transaction.'],
    errors: [...STEP_ERRORS, 'TRANSACTION_NOT_FOUND'],
  })
  async removeReviewTransaction(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Param('transaction') transaction: string,
    @Body() { reason }: CaseReasonBody,
  ) {
    const review = reviewUuid(id);
    await this.transactions.remove(ctx, review, transactionUuid(transaction), reason);
    return this.fileAnswer(ctx, review);
  }

  @Route.post('request-info', forOperator('reviews:work'), {
    summary: 'Ask for what is missing; the case waits',
    description: 'IN_ANALYSIS becomes AWAITING_INFO. The clocks go on: the law knows no pause.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS],
  })
  async requestReviewInfo(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { text }: RequestInfoBody,
  ) {
    return this.fileAnswer(ctx, await this.workflow.requestInfo(ctx, reviewUuid(id), text));
  }

  @Route.post('info', forOperator('reviews:work'), {
    summary: 'What was asked for is there: AWAITING_INFO becomes IN_ANALYSIS',
    description: 'The case goes on where it waited. What was received belongs into a note or an attachment.',
    data: [ReviewFileView, 'The case.'],
    errors: [...STEP_ERRORS, 'ARTIFACT_NOT_FOUND'],
  })
  async receiveReviewInfo(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: NoteBody,
  ) {
    return this.fileAnswer(ctx, await this.workflow.receiveInfo(ctx, reviewUuid(id), textOf(body)));
  }

  @Route.post('decision', forOperator('reviews:decide'), {
    summary: 'Propose how a case ends',
    description:
      'It takes effect when somebody else approves the request. Refused with MANDATORY_REVIEW_OPEN while a hit is undecided (unless ' +
      'it is to be rejected), with RELATED_TRANSACTIONS_OPEN while a case to communicate lacks payments of the window and ' +
      '`withoutRelated` does not say why, and with AUDIT_TRAIL_INCOMPLETE on a trail with gaps.',
    ...requestsApproval,
    errors: [
      ...STEP_ERRORS,
      'FOUR_EYES_REQUIRED',
      'MANDATORY_REVIEW_OPEN',
      'RELATED_TRANSACTIONS_OPEN',
      'AUDIT_TRAIL_INCOMPLETE',
    ],
  })
  async decideReview(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Body() body: DecisionBody) {
    return envelope(ApprovalView.of(await this.decisions.propose(ctx, reviewUuid(id), body)));
  }

  @Route.post('reopen', forOperator('reviews:decide'), {
    summary: 'Take a closed case up again, as a new case',
    description: 'The closed one stays as it is. The outcome changes when the new one is decided.',
    data: [ReviewFileView, 'The new case.'],
    status: 201,
    errors: [...STEP_ERRORS],
    idempotent: true,
  })
  async reopenReview(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: CaseReasonBody,
  ) {
    const { id: review } = await this.cases.reopen(ctx, reviewUuid(id), reason);
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

const textOf = ({ text, artifactIds = [] }: NoteBody): { text: string; artifactIds: string[] } => ({
  text,
  artifactIds: artifactIds.flatMap((id) => uuidOf('art', id) ?? []),
});
