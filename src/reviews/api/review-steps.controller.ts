import { Body, Controller, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { Clock, uuidOf } from '../../kernel/index.js';
import { Assignments } from '../assignments.js';
import { CaseDesk } from '../case-desk.js';
import { ReviewDesk } from '../review-desk.js';
import { ReviewFiles } from '../review-files.js';
import {
  ApprovalBody,
  AssignBody,
  DecisionBody,
  NoteBody,
  ReasonBody,
  RequestInfoBody,
} from './review.dto.js';
import { ReviewFileView } from './review.view.dto.js';
import { operatorUuid, REVIEW_ID, reviewUuid } from './review-ids.js';

const STEP = ['REVIEW_NOT_FOUND', 'STATE_CONFLICT'] as const;

/** What reviewers do with a case. */
@ApiTags('Reviews')
@Controller('operator/reviews/:id')
@ApiParam(REVIEW_ID)
export class ReviewStepsController {
  constructor(
    private readonly desk: ReviewDesk,
    private readonly cases: CaseDesk,
    private readonly assignments: Assignments,
    private readonly files: ReviewFiles,
    private readonly clock: Clock,
  ) {}

  @Post('assign')
  @ForOperator('reviews:work')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'assignReview',
    summary: 'Assign a case',
    description: 'To an operator, to `me` (which begins the analysis), to nobody, or automatically.',
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP, 'OPERATOR_NOT_FOUND')
  async assign(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { assigneeId, automatic }: AssignBody,
  ): Promise<Success<ReviewFileView>> {
    const review = reviewUuid(id);
    if (automatic === true) await this.assignments.shareOne(acting, review);
    else {
      const to = assigneeId === null ? null : operatorUuid(operator, assigneeId ?? 'me');
      await this.desk.assign(acting, review, to);
    }
    return this.shown(acting, review);
  }

  @Post('notes')
  @ForOperator('reviews:work')
  @Idempotent()
  @ApiOperation({ operationId: 'noteReview', summary: 'Write a note, with files that belong to it' })
  @ApiData(ReviewFileView, { status: HttpStatus.CREATED })
  @ApiErrors(...STEP, 'ARTIFACT_NOT_FOUND')
  async note(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: NoteBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.note(acting, reviewUuid(id), { kind: 'NOTE', ...textOf(body) });
    return this.shown(acting, review);
  }

  @Post('request-info')
  @ForOperator('reviews:work')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'requestReviewInfo',
    summary: 'Ask for what is missing; the case waits',
    description: 'IN_ANALYSIS becomes AWAITING_INFO. The clocks go on: the law knows no pause.',
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP)
  async requestInfo(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { text }: RequestInfoBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.requestInfo(acting, reviewUuid(id), text);
    return this.shown(acting, review);
  }

  @Post('info')
  @ForOperator('reviews:work')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'receiveReviewInfo',
    summary: 'What was asked for is there: AWAITING_INFO becomes IN_ANALYSIS',
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP, 'ARTIFACT_NOT_FOUND')
  async receiveInfo(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: NoteBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.receiveInfo(acting, reviewUuid(id), textOf(body));
    return this.shown(acting, review);
  }

  @Post('decision')
  @ForOperator('reviews:decide')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'decideReview',
    summary: 'Propose how a case ends',
    description:
      'It takes effect when somebody else approves it. Refused with MANDATORY_REVIEW_OPEN while a hit is undecided (unless ' +
      'it is to be rejected), and with AUDIT_TRAIL_INCOMPLETE on a trail with gaps.',
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP, 'MANDATORY_REVIEW_OPEN', 'AUDIT_TRAIL_INCOMPLETE')
  async decide(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: DecisionBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.decide(acting, reviewUuid(id), body);
    return this.shown(acting, review);
  }

  @Post('withdraw')
  @ForOperator('reviews:decide')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'withdrawReviewDecision',
    summary: "Take one's own proposal back into analysis",
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP)
  async withdraw(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.withdraw(acting, reviewUuid(id), reason);
    return this.shown(acting, review);
  }

  @Post('approval')
  @ForOperator('reviews:approve')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'approveReview',
    summary: 'Approve what somebody else has proposed, or send it back',
    description:
      'Whoever proposed it gets FOUR_EYES_REQUIRED. The outcome of the transactions follows at once.',
  })
  @ApiData(ReviewFileView)
  @ApiErrors(...STEP, 'FOUR_EYES_REQUIRED', 'MANDATORY_REVIEW_OPEN', 'AUDIT_TRAIL_INCOMPLETE')
  async approve(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: ApprovalBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.desk.approve(operator, acting, reviewUuid(id), body);
    return this.shown(acting, review);
  }

  @Post('reopen')
  @ForOperator('reviews:decide')
  @Idempotent()
  @ApiOperation({
    operationId: 'reopenReview',
    summary: 'Take a closed case up again, as a new case',
    description: 'The closed one stays as it is. The outcome changes when the new one is decided.',
  })
  @ApiData(ReviewFileView, { status: HttpStatus.CREATED })
  @ApiErrors(...STEP)
  async reopen(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
  ): Promise<Success<ReviewFileView>> {
    const { id: review } = await this.cases.reopen(acting, reviewUuid(id), reason);
    return this.shown(acting, review);
  }

  private async shown({ organisationId }: Acting, id: string): Promise<Success<ReviewFileView>> {
    const file = await this.files.open(organisationId, id);
    return envelope(ReviewFileView.ofFile(file, new Date(this.clock.now())));
  }
}

const textOf = ({ text, artifactIds = [] }: NoteBody): { text: string; artifactIds: string[] } => ({
  text,
  artifactIds: artifactIds.flatMap((id) => uuidOf('art', id) ?? []),
});
