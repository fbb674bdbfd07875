import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, LogRestartsService, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { LogRestartApprovalsService } from '../log-restart-approvals.service.js';
import { LogRestartBody, LogRestartView } from './repairs.dto.js';

/** Restarts a log whose database was restored from a backup. */
@ApiTags('Audit')
@Controller('operator/audit/log-restarts')
export class LogRestartsController {
  constructor(
    private readonly logRestarts: LogRestartsService,
    private readonly approvals: LogRestartApprovalsService,
  ) {}

  @Route.post('', forOperator('audit:repair'), {
    summary: 'Ask that a log that was put back goes on',
    description:
      'After a database was restored: the log is behind what was handed out, and stopped. STATE_CONFLICT when it is not, or ' +
      'when somebody has asked already.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async requestLogRestart(@CurrentActor() ctx: ActorContext, @Body() { reason }: LogRestartBody) {
    return envelope(ApprovalView.of(await this.approvals.request(ctx, reason)));
  }

  @Route.get('', forOperator('audit:read'), {
    summary: 'Restarts of the log, the newest first',
    description: 'Each with who asked, who approved and why the database had been put back.',
    page: [LogRestartView, 'One page of restarts.'],
  })
  async listLogRestarts(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, LogRestartView, (before, limit) =>
      this.logRestarts.page(operator.organisationId, before, limit),
    );
  }
}
