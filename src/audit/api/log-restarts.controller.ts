import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { CurrentActor, type ActorContext } from '../actor-context.js';
import { LogRestarts } from '../log/log-restarts.service.js';
import { LogRestartBody, LogRestartView, RepairParams } from './repairs.dto.js';

/** How a log that was put back to an earlier state goes on. */
@ApiTags('Audit')
@Controller('operator/audit/log-restarts')
export class LogRestartsController {
  constructor(private readonly logRestarts: LogRestarts) {}

  @Route.post('', forOperator('audit:repair'), {
    summary: 'Ask that a log that was put back goes on',
    description:
      'After a database was restored: the log is behind what was handed out, and stopped. STATE_CONFLICT when it is not, or ' +
      'when somebody has asked already.',
    data: LogRestartView,
    status: 201,
    errors: ['STATE_CONFLICT'],
    idempotent: true,
  })
  async requestLogRestart(@CurrentActor() ctx: ActorContext, @Body() { reason }: LogRestartBody) {
    return envelope(LogRestartView.of(await this.logRestarts.request(ctx, reason)));
  }

  @Route.get('', forOperator('audit:read'), {
    summary: 'LogRestarts of the log, the newest first',
    page: LogRestartView,
  })
  async listLogRestarts(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(
      query,
      (before, limit) => this.logRestarts.page(operator.organisationId, before, limit),
      (row) => LogRestartView.of(row),
    );
  }

  @Route.post(':id/approve', forOperator('audit:repair'), {
    summary: 'Let the log go on, as the second person',
    data: LogRestartView,
    errors: ['LOG_RESTART_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async approveLogRestart(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Param() { id }: RepairParams,
  ) {
    const uuid = uuidIn('rin', id, 'LOG_RESTART_NOT_FOUND');
    return envelope(LogRestartView.of(await this.logRestarts.approve(operator, ctx, uuid)));
  }
}
