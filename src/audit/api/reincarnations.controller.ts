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
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { Reincarnations } from '../reincarnations.service.js';
import { ReincarnationBody, ReincarnationView, RepairParams } from './repairs.dto.js';

/** How a log that was put back to an earlier state goes on. */
@ApiTags('Audit')
@Controller('operator/audit/reincarnations')
export class ReincarnationsController {
  constructor(private readonly reincarnations: Reincarnations) {}

  @Post()
  @ForOperator('audit:repair')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'requestReincarnation',
    summary: 'Ask that a log that was put back goes on',
    description:
      'After a database was restored: the log is behind what was handed out, and stopped. STATE_CONFLICT when it is not, or ' +
      'when somebody has asked already.',
  })
  @ApiData(ReincarnationView, { status: HttpStatus.CREATED })
  @ApiErrors('VALIDATION_FAILED', 'STATE_CONFLICT')
  async request(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() { reason }: ReincarnationBody,
  ): Promise<Success<ReincarnationView>> {
    return envelope(ReincarnationView.of(await this.reincarnations.request(operator, context, reason)));
  }

  @Get()
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'listReincarnations', summary: 'Reincarnations of the log, the newest first' })
  @ApiPage(ReincarnationView)
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<ReincarnationView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const rows = await this.reincarnations.page(
      operator.organisationId,
      before === null ? null : String(before),
      limit + 1,
    );
    return page(
      rows,
      limit,
      ({ id }) => [id],
      (row) => ReincarnationView.of(row),
    );
  }

  @Post(':id/approve')
  @ForOperator('audit:repair')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'approveReincarnation', summary: 'Let the log go on, as the second person' })
  @ApiData(ReincarnationView)
  @ApiErrors('VALIDATION_FAILED', 'REINCARNATION_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async approve(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() { id }: RepairParams,
  ): Promise<Success<ReincarnationView>> {
    const uuid = uuidOf('rin', id);
    if (uuid === null) throw new DomainError('REINCARNATION_NOT_FOUND');
    return envelope(ReincarnationView.of(await this.reincarnations.approve(operator, context, uuid)));
  }
}
