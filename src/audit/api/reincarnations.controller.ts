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
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { Acting } from '../acting.js';
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
  @ApiErrors('STATE_CONFLICT')
  async request(
    @Acting() acting: Acting,
    @Body() { reason }: ReincarnationBody,
  ): Promise<Success<ReincarnationView>> {
    return envelope(ReincarnationView.of(await this.reincarnations.request(acting, reason)));
  }

  @Get()
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'listReincarnations', summary: 'Reincarnations of the log, the newest first' })
  @ApiPage(ReincarnationView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<ReincarnationView>> {
    return listById(
      query,
      (before, limit) => this.reincarnations.page(operator.organisationId, before, limit),
      (row) => ReincarnationView.of(row),
    );
  }

  @Post(':id/approve')
  @ForOperator('audit:repair')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'approveReincarnation', summary: 'Let the log go on, as the second person' })
  @ApiData(ReincarnationView)
  @ApiErrors('REINCARNATION_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async approve(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param() { id }: RepairParams,
  ): Promise<Success<ReincarnationView>> {
    const uuid = uuidIn('rin', id, 'REINCARNATION_NOT_FOUND');
    return envelope(ReincarnationView.of(await this.reincarnations.approve(operator, acting, uuid)));
  }
}
