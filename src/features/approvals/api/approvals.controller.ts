import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
  type SuccessEnvelope,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import type { Approval } from '../approval-handlers.js';
import { ApprovalReaderService } from '../approval-reader.service.js';
import { ApprovalSummaryService, type ApprovalWithSummary } from '../approval-summary.service.js';
import { ApprovalsService } from '../approvals.service.js';
import { SecondPersonService } from '../second-person.service.js';
import {
  ApprovalsQuery,
  ApprovalView,
  ApproveBody,
  ControlView,
  ApprovalReasonBody,
} from './approvals.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the approval request.',
  example: 'apr_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
} as const;

/** The inbox of requests that need a second person's approval. */
@ApiTags('Approvals')
@Controller('operator/approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly reader: ApprovalReaderService,
    private readonly approvalSummary: ApprovalSummaryService,
    private readonly secondPerson: SecondPersonService,
  ) {}

  @Route.get('', forOperator(), {
    summary: 'Requests that wait for somebody, or that are done',
    description:
      'Each with exactly what changes, why, since when and until when, and its object in short. The newest first. Shown ' +
      'are the own ones, and those of acts that the caller may ask for or approve; all of them with audit:export.',
    page: [ApprovalView, 'One page of requests.'],
  })
  async listApprovals(@CurrentOperator() operator: OperatorPrincipal, @Query() query: ApprovalsQuery) {
    const { inbox, act, subject } = query;
    const view = { of: (row: ApprovalWithSummary) => ApprovalView.of(row, row.summary) };
    return listById(query, view, async (before, limit) => {
      const approvals = await this.reader.page(operator, inbox, { act, subject }, before, limit);
      return this.approvalSummary.summarize(operator, approvals);
    });
  }

  @Route.get('control', forOperator(), {
    summary: 'What only one person can decide in this organisation',
    description:
      'Acts for which the organisation has no two independent people, and per person the acts that only they could ' +
      'approve if they asked, and who does not count as a second person for them. Whoever decides alone is marked.',
    data: [ControlView, 'The acts and the people, if any.'],
  })
  async getControl(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const [control, singleHanded] = await Promise.all([
      this.secondPerson.findControl(organisationId),
      this.secondPerson.allowsSingleControl(organisationId),
    ]);
    return envelope(ControlView.of(control, singleHanded));
  }

  @Route.get(':id', forOperator(), {
    summary: 'A request',
    description: 'One request with the values before and after, its digest and what became of it.',
    params: [ID],
    data: [ApprovalView, 'The request.'],
    errors: ['APPROVAL_NOT_FOUND'],
  })
  async getApproval(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return this.toEnvelope(operator, await this.approvals.readVisible(operator, idOf(id)));
  }

  @Route.post(':id/approve', forOperator(), {
    summary: 'Approve exactly what somebody else has asked for',
    description:
      'Needs the permission that the act names, and a second factor. The effect comes about in the same commit, or after ' +
      'the waiting time of the act. STATE_CONFLICT when the object was changed after the request; the end of a case is ' +
      'refused as its proposal is (`POST /operator/reviews/{id}/decision`).',
    params: [ID],
    data: [ApprovalView, 'The request.'],
    errors: [
      'APPROVAL_NOT_FOUND',
      'STATE_CONFLICT',
      'FOUR_EYES_REQUIRED',
      'MANDATORY_REVIEW_OPEN',
      'RELATED_TRANSACTIONS_OPEN',
      'AUDIT_TRAIL_INCOMPLETE',
    ],
  })
  async approve(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: ApproveBody,
  ) {
    return this.toEnvelope(operator, await this.approvals.approve(operator, ctx, idOf(id), body));
  }

  @Route.post(':id/refuse', forOperator(), {
    summary: 'Refuse what somebody else has asked for',
    description: 'The request ends and nothing changes. The reason stays with it.',
    params: [ID],
    data: [ApprovalView, 'The request.'],
    errors: ['APPROVAL_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async refuse(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: ApprovalReasonBody,
  ) {
    return this.toEnvelope(operator, await this.approvals.refuse(operator, ctx, idOf(id), reason));
  }

  @Route.post(':id/withdraw', forOperator(), {
    summary: 'Take a request back, also while its approved effect waits',
    description:
      'One’s own; an approved one that waits may be stopped by everybody who could have approved it.',
    params: [ID],
    data: [ApprovalView, 'The request.'],
    errors: ['APPROVAL_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async withdraw(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: ApprovalReasonBody,
  ) {
    return this.toEnvelope(operator, await this.approvals.withdraw(operator, ctx, idOf(id), reason));
  }

  private async toEnvelope(
    operator: OperatorPrincipal,
    approval: Approval,
  ): Promise<SuccessEnvelope<ApprovalView>> {
    const [summarized] = await this.approvalSummary.summarize(operator, [approval]);
    return envelope(ApprovalView.of(approval, summarized?.summary ?? null));
  }
}

const idOf = (id: string): string => requireUuid('apr', id, 'APPROVAL_NOT_FOUND');
