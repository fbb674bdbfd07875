import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorApprovalsService } from '../accounts/operator-approvals.service.js';
import { OperatorsService } from '../accounts/operators.service.js';
import { OperatorQueries } from '../store/operator.queries.js';
import {
  NewMachineBody,
  OperatorReasonBody,
  OperatorsQuery,
  RolesBody,
  UpdateOperatorBody,
} from './operator.dto.js';
import { ChangedOperatorView, NewOperatorView, OperatorView, SecretView } from './operator.view.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the operator.',
  example: 'opr_019364d0c0de7000a000000000000001',
};

@ApiTags('Operators')
@Controller('operator/operators')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly approvals: OperatorApprovalsService,
    private readonly queries: OperatorQueries,
  ) {}

  @Route.get('', forOperator('operators:read'), {
    summary: 'The operators of the organisation, oldest first',
    description: 'People and machines, filtered by kind and status.',
    page: [OperatorView, 'One page of operators.'],
  })
  async operatorsList(@CurrentOperator() me: OperatorPrincipal, @Query() query: OperatorsQuery) {
    const { kind, status } = query;
    return listById(query, OperatorView, (after, limit) =>
      this.queries.list(me.organisationId, { limit, kind, status, after }),
    );
  }

  @Route.post('', forOperator('operators:manage'), {
    summary: 'Make a machine operator; its secret is in this answer and nowhere else',
    description: 'People are invited: `POST /operator/invitations`.',
    data: [NewOperatorView, 'The new operator with its secret, which is shown once.'],
    status: 201,
    errors: ['STATE_CONFLICT'],
    idempotent: true,
  })
  async operatorsCreate(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() { name, permissions }: NewMachineBody,
    @FromCall() from: CallOrigin,
  ) {
    const { operator, secret } = await this.operators.addMachine(me, { name, permissions }, from);
    return envelope(NewOperatorView.with(operator, secret));
  }

  @Route.get(':id', forOperator('operators:read'), {
    summary: 'One operator',
    description: 'Roles, login method, second factor and last login of an operator.',
    params: [ID],
    data: [OperatorView, 'The operator.'],
    errors: ['OPERATOR_NOT_FOUND'],
  })
  async operatorsOne(@CurrentOperator() me: OperatorPrincipal, @Param('id') id: string) {
    return envelope(OperatorView.of(await this.operators.findOne(me, idOf(id))));
  }

  @Route.patch(':id', forOperator('operators:manage'), {
    summary: 'Change name or permissions, or take roles away',
    description:
      'Not the own roles. More roles are asked for at `/roles`. Open cases of somebody who may not work on them any more go back to the queue.',
    params: [ID],
    data: [ChangedOperatorView, 'The operator.'],
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsUpdate(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @Body() body: UpdateOperatorBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(ChangedOperatorView.with(await this.operators.update(me, idOf(id), body, from)));
  }

  @Route.post(':id/disable', forOperator('operators:manage'), {
    summary: 'Let an operator in no longer; its tokens are dead within a second',
    description: 'Open cases that it had go back to the queue.',
    params: [ID],
    data: [ChangedOperatorView, 'The operator.'],
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsDisable(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(ChangedOperatorView.with(await this.operators.disable(me, idOf(id), from)));
  }

  @Route.post(':id/roles', forOperator('operators:manage'), {
    summary: 'Ask for other roles of a person',
    description: 'They count when another administrator approves the request. All administrators are told.',
    params: [ID],
    ...requestsApproval,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsEmpower(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { roles, reason }: RolesBody,
  ) {
    return envelope(ApprovalView.of(await this.approvals.requestRoles(ctx, idOf(id), roles, reason)));
  }

  @Route.post(':id/enable', forOperator('operators:manage'), {
    summary: 'Ask that a disabled operator is let in again',
    description: 'Takes effect when a second person has approved it.',
    params: [ID],
    ...requestsApproval,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsEnable(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: OperatorReasonBody,
  ) {
    return envelope(ApprovalView.of(await this.approvals.requestEnabling(ctx, idOf(id), reason)));
  }

  @Route.post(':id/totp/reset', forOperator('operators:manage'), {
    summary: 'Ask that the second factor of somebody who lost it is taken away',
    description:
      'Takes effect when a second person has approved it. The operator then logs in without and sets up another one.',
    params: [ID],
    ...requestsApproval,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsResetTotp(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: OperatorReasonBody,
  ) {
    return envelope(ApprovalView.of(await this.approvals.requestTotpReset(ctx, idOf(id), reason)));
  }

  @Route.post(':id/sessions/end', forOperator('operators:manage'), {
    summary: 'End every session of an operator',
    description: 'Takes effect within a second. The operator can log in again.',
    params: [ID],
    data: [null, 'All sessions of the operator have ended.'],
    errors: ['OPERATOR_NOT_FOUND'],
  })
  async operatorsEndSessions(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    await this.operators.endSessions(me, idOf(id), from);
    return envelope(null);
  }

  @Route.post(':id/secret', forOperator('operators:manage'), {
    summary: 'Give a machine operator a new secret in place of the old one',
    description: 'The old secret is refused from then on, and its sessions end.',
    params: [ID],
    data: [SecretView, 'The new secret, which is shown once.'],
    status: 201,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async operatorsRenewSecret(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    return envelope({ secret: await this.operators.renewSecret(me, idOf(id), from) });
  }
}

const idOf = (id: string): string => requireUuid('opr', id, 'OPERATOR_NOT_FOUND');
