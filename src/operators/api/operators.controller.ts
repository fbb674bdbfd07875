import { Body, Controller, Get, HttpCode, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
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
import { DomainError, uuidIn } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorsService } from '../operators.service.js';
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

  @Get()
  @ForOperator('operators:read')
  @ApiOperation({ summary: 'The operators of the organisation, oldest first' })
  @ApiPage(OperatorView)
  async list(
    @CurrentOperator() me: OperatorPrincipal,
    @Query() query: OperatorsQuery,
  ): Promise<Page<OperatorView>> {
    const { kind, status } = query;
    return listById(
      query,
      (after, limit) => this.queries.list(me.organisationId, { limit, kind, status, after }),
      (row) => OperatorView.of(row),
    );
  }

  @Post()
  @ForOperator('operators:manage')
  @Idempotent()
  @ApiOperation({
    summary: 'Make an operator: a machine, or a person who logs in with the identity provider',
    description: 'People with a password are invited instead: `POST /operator/invitations`.',
  })
  @ApiData(NewOperatorView, { status: HttpStatus.CREATED })
  @ApiErrors('STATE_CONFLICT')
  async create(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: CreateOperatorBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<NewOperatorView>> {
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

  @Get(':id')
  @ForOperator('operators:read')
  @ApiOperation({ summary: 'One operator' })
  @ApiParam(ID)
  @ApiData(OperatorView)
  @ApiErrors('OPERATOR_NOT_FOUND')
  async one(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.operators.one(me, idOf(id))));
  }

  @Patch(':id')
  @ForOperator('operators:manage')
  @ApiOperation({ summary: 'Change name, roles or permissions', description: 'Not the own roles.' })
  @ApiParam(ID)
  @ApiData(OperatorView)
  @ApiErrors('OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async update(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @Body() body: UpdateOperatorBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.operators.update(me, idOf(id), body, from)));
  }

  @Post(':id/disable')
  @ForOperator('operators:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'Let an operator in no longer; its tokens are dead within a second' })
  @ApiParam(ID)
  @ApiData(OperatorView)
  @ApiErrors('OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async disable(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.operators.disable(me, idOf(id), from)));
  }

  @Post(':id/enable')
  @ForOperator('operators:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'Let a disabled operator in again' })
  @ApiParam(ID)
  @ApiData(OperatorView)
  @ApiErrors('OPERATOR_NOT_FOUND', 'STATE_CONFLICT')
  async enable(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.operators.enable(me, idOf(id), from)));
  }

  @Post(':id/totp/reset')
  @ForOperator('operators:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'Take away the second factor of somebody who lost it' })
  @ApiParam(ID)
  @ApiData(OperatorView)
  @ApiErrors('OPERATOR_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async resetTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.operators.resetTotp(me, idOf(id), from)));
  }

  @Post(':id/sessions/end')
  @ForOperator('operators:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'End every session of an operator' })
  @ApiParam(ID)
  @ApiData(null)
  @ApiErrors('OPERATOR_NOT_FOUND')
  async endSessions(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<null>> {
    await this.operators.endSessions(me, idOf(id), from);
    return envelope(null);
  }

  @Post(':id/secret')
  @ForOperator('operators:manage')
  @ApiOperation({ summary: 'Give a machine operator a new secret in place of the old one' })
  @ApiParam(ID)
  @ApiData(SecretView, { status: HttpStatus.CREATED })
  @ApiErrors('OPERATOR_NOT_FOUND', 'STATE_CONFLICT')
  async renewSecret(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<SecretView>> {
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
