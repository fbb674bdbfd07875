import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  CurrentRequest,
  cursorKeys,
  envelope,
  ForOperator,
  Idempotent,
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
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
  @ApiErrors('VALIDATION_FAILED', 'AUDIT_ENTRY_NOT_FOUND', 'STATE_CONFLICT')
  async request(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() body: RepairBody,
  ): Promise<Success<RepairView>> {
    const row = await this.repairs.request(operator, context, {
      subject: {
        organisationId: operator.organisationId,
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
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { status, limit, cursor }: RepairsQuery,
  ): Promise<Page<RepairView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const rows = await this.repairs.page(
      operator.organisationId,
      status ?? null,
      before === null ? null : String(before),
      limit + 1,
    );
    return page(
      rows,
      limit,
      ({ id }) => [id],
      (row) => RepairView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'getRepair', summary: 'A repair' })
  @ApiData(RepairView)
  @ApiErrors('VALIDATION_FAILED', 'REPAIR_NOT_FOUND')
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
  @ApiErrors('VALIDATION_FAILED', 'REPAIR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async apply(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() { id }: RepairParams,
  ): Promise<Success<RepairView>> {
    return envelope(RepairView.of(await this.repairs.decide(operator, context, idOf(id), 'APPLIED')));
  }

  @Post(':id/refuse')
  @ForOperator('audit:repair')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'refuseRepair', summary: 'Refuse a repair' })
  @ApiData(RepairView)
  @ApiErrors('VALIDATION_FAILED', 'REPAIR_NOT_FOUND', 'STATE_CONFLICT')
  async refuse(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() { id }: RepairParams,
  ): Promise<Success<RepairView>> {
    return envelope(RepairView.of(await this.repairs.decide(operator, context, idOf(id), 'REFUSED')));
  }
}

function idOf(id: string): string {
  const uuid = uuidOf('rep', id);
  if (uuid === null) throw new DomainError('REPAIR_NOT_FOUND');
  return uuid;
}
