import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ClientDirectory } from '../../auth/index.js';
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
import { DomainError, uuidOf } from '../../kernel/index.js';
import { Acting } from '../acting.js';
import { SessionReader } from '../session-reader.js';
import { SessionsService } from '../sessions.service.js';
import type { SessionRow } from '../domain/records.js';
import { NewOperatorSessionBody, SessionsQuery } from './session.dto.js';
import { IssuedLinkView, SessionView } from './session.view.dto.js';

const SESSION_ID = {
  name: 'id',
  example: 'kys_019364d0c0de7000a000000000000001',
  description: 'The reference of the session (`kys_`), or its id (`ses_`).',
};

@ApiTags('Verification sessions')
@Controller('operator/kyc-sessions')
export class OperatorSessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly reader: SessionReader,
    private readonly clients: ClientDirectory,
  ) {}

  @Post()
  @ForOperator('sessions:create')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({ operationId: 'createSession', summary: 'Make the link of a new session for a customer' })
  @ApiData(IssuedLinkView, { status: HttpStatus.CREATED })
  @ApiErrors('FLOW_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'SESSION_NOT_FOUND', 'APP_NOT_FOUND', 'STATE_CONFLICT')
  async create(
    @Acting() acting: Acting,
    @Body() body: NewOperatorSessionBody,
  ): Promise<Success<IssuedLinkView>> {
    const { organisationId } = acting;
    const link = await this.sessions.open(acting, {
      ...(await this.reader.requestOf(organisationId, body)),
      trigger: 'OPERATOR',
      ...(body.clientId === undefined
        ? {}
        : { clientAppId: await this.appOf(organisationId, body.clientId) }),
    });
    return envelope(IssuedLinkView.of(link));
  }

  @Get()
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'listSessions', summary: 'Sessions, newest first' })
  @ApiPage(SessionView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: SessionsQuery,
  ): Promise<Page<SessionView>> {
    const { status, customerId, flowKey } = query;
    const customer = customerId === undefined ? undefined : (uuidOf('cus', customerId) ?? undefined);
    const filter = { status, flowKey, customerId: customer };
    return listById(
      query,
      async (before, limit) => {
        const rows = await this.sessions.page(operator.organisationId, filter, before, limit);
        return Promise.all(
          rows.map(async (row) => ({ id: row.id, view: await this.viewFor(operator, row) })),
        );
      },
      ({ view }) => view,
    );
  }

  @Get(':id')
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'getSession', summary: 'One session, with its result and evidence' })
  @ApiParam(SESSION_ID)
  @ApiData(SessionView)
  @ApiErrors('SESSION_NOT_FOUND')
  async one(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<SessionView>> {
    return envelope(await this.viewFor(operator, await this.reader.named(operator.organisationId, id)));
  }

  @Post(':id/cancel')
  @ForOperator('sessions:create')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'cancelSession',
    summary: 'End a session that nobody has submitted: EXPIRED, with the reason CANCELLED',
  })
  @ApiParam(SESSION_ID)
  @ApiData(SessionView)
  @ApiErrors('SESSION_NOT_FOUND', 'STATE_CONFLICT')
  async cancel(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param('id') id: string,
  ): Promise<Success<SessionView>> {
    const session = await this.reader.named(operator.organisationId, id);
    const ended = await this.sessions.cancel(acting, session.id);
    return envelope(await this.viewFor(operator, ended));
  }

  /** The capability is for those who may make one anyway. */
  private async viewFor(operator: OperatorPrincipal, session: SessionRow): Promise<SessionView> {
    const mayAct = operator.permissions.has('sessions:create');
    return SessionView.of(session, mayAct ? await this.reader.linkOf(session) : null);
  }

  private async appOf(organisationId: string, clientId: string): Promise<string> {
    const client = await this.clients.find(clientId);
    if (client?.principal.organisationId !== organisationId) throw new DomainError('APP_NOT_FOUND');
    return client.principal.id;
  }
}
