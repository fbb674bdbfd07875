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
import { DomainError, uuidIn } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorsService } from '../accounts/operators.service.js';
import { OperatorQueries } from '../store/operator.queries.js';
import { CreateOperatorBody, OperatorsQuery, UpdateOperatorBody } from './operator.dto.js';
import { NewOperatorView, OperatorView, SecretView } from './operator.view.dto.js';

const ID = { name: 'id', example: 'opr_019364d0c0de7000a000000000000001' };

@ApiTags('Operators')
@Controller('operator/operators')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly queries: OperatorQueries,
  ) {}

  @Route.get('', forOperator('operators:read'), {
    summary: 'The operators of the organisation, oldest first',
    page: OperatorView,
  })
  async operatorsList(@CurrentOperator() me: OperatorPrincipal, @Query() query: OperatorsQuery) {
    const { kind, status } = query;
    return listById(
      query,
      (after, limit) => this.queries.list(me.organisationId, { limit, kind, status, after }),
      (row) => OperatorView.of(row),
    );
  }

  @Route.post('', forOperator('operators:manage'), {
    summary: 'Make an operator: a machine, or a person who logs in with the identity provider',
    description: 'People with a password are invited instead: `POST /operator/invitations`.',
    data: NewOperatorView,
    status: 201,
    errors: ['STATE_CONFLICT'],
    idempotent: true,
  })
  async operatorsCreate(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: CreateOperatorBody,
    @FromCall() from: CallOrigin,
  ) {
    if (body.kind === 'MACHINE') {
      const machine = { name: body.name, permissions: required('permissions', body.permissions) };
      refuseField('email', body.email);
      refuseField('roles', body.roles);
      const { operator, secret } = await this.operators.addMachine(me, machine, from);
      return envelope(NewOperatorView.with(operator, secret));
    }
    refuseField('permissions', body.permissions);
    const person = {
      name: body.name,
      email: required('email', body.email),
      roles: required('roles', body.roles),
    };
    const operator = await this.operators.addFederatedPerson(me, person, from);
    return envelope(NewOperatorView.with(operator, null));
  }

  @Route.get(':id', forOperator('operators:read'), {
    summary: 'One operator',
    params: [ID],
    data: OperatorView,
    errors: ['OPERATOR_NOT_FOUND'],
  })
  async operatorsOne(@CurrentOperator() me: OperatorPrincipal, @Param('id') id: string) {
    return envelope(OperatorView.of(await this.operators.one(me, idOf(id))));
  }

  @Route.patch(':id', forOperator('operators:manage'), {
    summary: 'Change name, roles or permissions',
    description: 'Not the own roles.',
    params: [ID],
    data: OperatorView,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsUpdate(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @Body() body: UpdateOperatorBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(OperatorView.of(await this.operators.update(me, idOf(id), body, from)));
  }

  @Route.post(':id/disable', forOperator('operators:manage'), {
    summary: 'Let an operator in no longer; its tokens are dead within a second',
    params: [ID],
    data: OperatorView,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsDisable(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(OperatorView.of(await this.operators.disable(me, idOf(id), from)));
  }

  @Route.post(':id/enable', forOperator('operators:manage'), {
    summary: 'Let a disabled operator in again',
    params: [ID],
    data: OperatorView,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async operatorsEnable(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(OperatorView.of(await this.operators.enable(me, idOf(id), from)));
  }

  @Route.post(':id/totp/reset', forOperator('operators:manage'), {
    summary: 'Take away the second factor of somebody who lost it',
    params: [ID],
    data: OperatorView,
    errors: ['OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async operatorsResetTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(OperatorView.of(await this.operators.resetTotp(me, idOf(id), from)));
  }

  @Route.post(':id/sessions/end', forOperator('operators:manage'), {
    summary: 'End every session of an operator',
    params: [ID],
    data: null,
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
    params: [ID],
    data: SecretView,
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

const idOf = (id: string): string => uuidIn('opr', id, 'OPERATOR_NOT_FOUND');

function required<T>(path: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new DomainError('VALIDATION_FAILED', {
    details: [{ path, code: 'REQUIRED', message: 'This kind of operator needs it.' }],
  });
}

function refuseField(path: string, value: unknown): void {
  if (value === undefined) return;
  throw new DomainError('VALIDATION_FAILED', {
    details: [{ path, code: 'UNKNOWN_FIELD', message: 'This kind of operator has none.' }],
  });
}
