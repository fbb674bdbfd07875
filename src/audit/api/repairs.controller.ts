import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { Acting } from '../acting.js';
import { TrailRepairs } from '../trail-repairs.service.js';
import { storedId } from './audit.controller.js';
import { RepairBody, RepairParams, RepairsQuery, RepairView } from './repairs.dto.js';

/** Repairs of trails: one person asks, another one applies. */
@ApiTags('Audit')
@Controller('operator/audit/repairs')
export class RepairsController {
  constructor(private readonly repairs: TrailRepairs) {}

  @Post()
  @ForOperator('audit:repair')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'requestRepair',
    summary: 'Ask for a repair of a trail',
    description:
      'It takes effect when another person applies it. Refused when the trail has no gap, or when nothing proves it.',
  })
  @ApiData(RepairView, { status: HttpStatus.CREATED })
  @ApiErrors('AUDIT_ENTRY_NOT_FOUND', 'STATE_CONFLICT')
  async request(@Acting() acting: Acting, @Body() body: RepairBody): Promise<Success<RepairView>> {
    const row = await this.repairs.request(acting, {
      subject: {
        organisationId: acting.organisationId,
        type: body.subjectType,
        id: storedId(body.subjectId),
      },
      kind: body.kind,
      justification: body.justification,
      canonical: body.canonical === undefined ? null : Buffer.from(body.canonical, 'base64'),
    });
    return envelope(RepairView.of(row));
  }

  @Get()
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'listRepairs', summary: 'Repairs, the newest first' })
  @ApiPage(RepairView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: RepairsQuery,
  ): Promise<Page<RepairView>> {
    const status = query.status ?? null;
    return listById(
      query,
      (before, limit) => this.repairs.page(operator.organisationId, status, before, limit),
      (row) => RepairView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'getRepair', summary: 'A repair' })
  @ApiData(RepairView)
  @ApiErrors('REPAIR_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { id }: RepairParams,
  ): Promise<Success<RepairView>> {
    return envelope(RepairView.of(await this.repairs.find(operator.organisationId, idOf(id))));
  }

  @Post(':id/apply')
  @ForOperator('audit:repair')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'applyRepair', summary: 'Apply a repair that somebody else asked for' })
  @ApiData(RepairView)
  @ApiErrors('REPAIR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async apply(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param() { id }: RepairParams,
  ): Promise<Success<RepairView>> {
    return envelope(RepairView.of(await this.repairs.decide(operator, acting, idOf(id), 'APPLIED')));
  }

  @Post(':id/refuse')
  @ForOperator('audit:repair')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'refuseRepair', summary: 'Refuse a repair' })
  @ApiData(RepairView)
  @ApiErrors('REPAIR_NOT_FOUND', 'STATE_CONFLICT')
  async refuse(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param() { id }: RepairParams,
  ): Promise<Success<RepairView>> {
    return envelope(RepairView.of(await this.repairs.decide(operator, acting, idOf(id), 'REFUSED')));
  }
}

const idOf = (id: string): string => uuidIn('rep', id, 'REPAIR_NOT_FOUND');
