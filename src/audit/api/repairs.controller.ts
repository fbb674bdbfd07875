import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { CurrentActor, type ActorContext } from '../actor-context.js';
import { TrailRepairs } from '../trail/trail-repairs.service.js';
import { storedId } from './audit.controller.js';
import { RepairBody, RepairParams, RepairsQuery, RepairView } from './repairs.dto.js';

/** Repairs of trails: one person asks, another one applies. */
@ApiTags('Audit')
@Controller('operator/audit/repairs')
export class RepairsController {
  constructor(private readonly repairs: TrailRepairs) {}

  @Route.post('', forOperator('audit:repair'), {
    summary: 'Ask for a repair of a trail',
    description:
      'It takes effect when another person applies it. Refused when the trail has no gap, or when nothing proves it.',
    data: RepairView,
    status: 201,
    errors: ['AUDIT_ENTRY_NOT_FOUND', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async requestRepair(@CurrentActor() ctx: ActorContext, @Body() body: RepairBody) {
    const row = await this.repairs.request(ctx, {
      subject: {
        organisationId: ctx.organisationId,
        type: body.subjectType,
        id: storedId(body.subjectId),
      },
      kind: body.kind,
      justification: body.justification,
      canonical: body.canonical === undefined ? null : Buffer.from(body.canonical, 'base64'),
    });
    return envelope(RepairView.of(row));
  }

  @Route.get('', forOperator('audit:read'), {
    summary: 'Repairs, the newest first',
    page: RepairView,
  })
  async listRepairs(@CurrentOperator() operator: OperatorPrincipal, @Query() query: RepairsQuery) {
    const status = query.status ?? null;
    return listById(
      query,
      (before, limit) => this.repairs.page(operator.organisationId, status, before, limit),
      (row) => RepairView.of(row),
    );
  }

  @Route.get(':id', forOperator('audit:read'), {
    summary: 'A repair',
    data: RepairView,
    errors: ['REPAIR_NOT_FOUND'],
  })
  async getRepair(@CurrentOperator() operator: OperatorPrincipal, @Param() { id }: RepairParams) {
    return envelope(RepairView.of(await this.repairs.find(operator.organisationId, idOf(id))));
  }

  @Route.post(':id/apply', forOperator('audit:repair'), {
    summary: 'Apply a repair that somebody else asked for',
    data: RepairView,
    errors: ['REPAIR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async applyRepair(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param() { id }: RepairParams,
  ) {
    return envelope(RepairView.of(await this.repairs.decide(operator, ctx, idOf(id), 'APPLIED')));
  }

  @Route.post(':id/refuse', forOperator('audit:repair'), {
    summary: 'Refuse a repair',
    data: RepairView,
    errors: ['REPAIR_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async refuseRepair(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param() { id }: RepairParams,
  ) {
    return envelope(RepairView.of(await this.repairs.decide(operator, ctx, idOf(id), 'REFUSED')));
  }
}

const idOf = (id: string): string => uuidIn('rep', id, 'REPAIR_NOT_FOUND');
