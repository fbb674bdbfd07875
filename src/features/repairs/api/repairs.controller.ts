import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, parseSubjectId, TrailRepairsService, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { RepairApprovalsService } from '../repair-approvals.service.js';
import { RepairBody, RepairParams, RepairsQuery, RepairView } from './repairs.dto.js';

/** Repairs of audit trails: one person requests, another approves. */
@ApiTags('Audit')
@Controller('operator/audit/repairs')
export class RepairsController {
  constructor(
    private readonly repairs: TrailRepairsService,
    private readonly approvals: RepairApprovalsService,
  ) {}

  @Route.post('', forOperator('audit:repair'), {
    summary: 'Ask for a repair of a trail',
    description:
      'It takes effect when another person approves the request. Refused when the trail has no gap, or when nothing proves it.',
    ...requestsApproval,
    errors: ['AUDIT_ENTRY_NOT_FOUND', 'FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async requestRepair(@CurrentActor() ctx: ActorContext, @Body() body: RepairBody) {
    const request = await this.approvals.request(ctx, {
      subject: {
        organisationId: ctx.organisationId,
        type: body.subjectType,
        id: parseSubjectId(body.subjectId),
      },
      kind: body.kind,
      justification: body.justification,
      canonical: body.canonical === undefined ? null : Buffer.from(body.canonical, 'base64'),
    });
    return envelope(ApprovalView.of(request));
  }

  @Route.get('', forOperator('audit:read'), {
    summary: 'Repairs, the newest first',
    description: 'Requested, approved and refused repairs of trails, filtered by status.',
    page: [RepairView, 'One page of repairs.'],
  })
  async listRepairs(@CurrentOperator() operator: OperatorPrincipal, @Query() query: RepairsQuery) {
    const status = query.status ?? null;
    return listById(query, RepairView, (before, limit) =>
      this.repairs.page(operator.organisationId, status, before, limit),
    );
  }

  @Route.get(':id', forOperator('audit:read'), {
    summary: 'A repair',
    description: 'What was missing or changed, what was put in its place, and who agreed.',
    data: [RepairView, 'The repair.'],
    errors: ['REPAIR_NOT_FOUND'],
  })
  async getRepair(@CurrentOperator() operator: OperatorPrincipal, @Param() { id }: RepairParams) {
    return envelope(RepairView.of(await this.repairs.find(operator.organisationId, idOf(id))));
  }
}

const idOf = (id: string): string => requireUuid('rep', id, 'REPAIR_NOT_FOUND');
