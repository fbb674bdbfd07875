import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ClientDirectory } from '../../auth/index.js';
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
import { actingOperator } from '../acting.js';
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
  @ApiErrors(
    'VALIDATION_FAILED',
    'FLOW_NOT_FOUND',
    'CUSTOMER_NOT_FOUND',
    'SESSION_NOT_FOUND',
    'APP_NOT_FOUND',
    'STATE_CONFLICT',
  )
  async create(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() body: NewOperatorSessionBody,
  ): Promise<Success<IssuedLinkView>> {
    const { organisationId } = operator;
    const link = await this.sessions.open(actingOperator(operator, context), {
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
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { limit, cursor, status, customerId, flowKey }: SessionsQuery,
  ): Promise<Page<SessionView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const customer = customerId === undefined ? undefined : (uuidOf('cus', customerId) ?? undefined);
    const filter = { status, flowKey, customerId: customer };
    const rows = await this.sessions.page(
      operator.organisationId,
      filter,
      before as string | null,
      limit + 1,
    );
    const views = new Map<SessionRow, SessionView>();
    for (const row of rows.slice(0, limit)) views.set(row, await this.viewFor(operator, row));
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => {
        const view = views.get(row);
        if (!view) throw new Error('a session of the page has no view');
        return view;
      },
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
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<SessionView>> {
    const session = await this.reader.named(operator.organisationId, id);
    const ended = await this.sessions.cancel(actingOperator(operator, context), session.id);
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
