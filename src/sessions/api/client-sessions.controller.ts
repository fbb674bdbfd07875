import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  CurrentClient,
  envelope,
  ForClient,
  Idempotent,
  type ClientPrincipal,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { Acting } from '../acting.js';
import { SessionReader } from '../session-reader.js';
import { SessionsService } from '../sessions.service.js';
import { NewSessionBody } from './session.dto.js';
import { IssuedLinkView, SessionView } from './session.view.dto.js';

/** Sessions for integrators whose administrator has enabled it. */
@ApiTags('Verification sessions')
@Controller('kyc-sessions')
export class ClientSessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly reader: SessionReader,
  ) {}

  @Post()
  @ForClient('sessions:create')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'createSession',
    summary: 'Make the link of a new session',
    description:
      'Needs the scope `sessions:create`, which no application has until an administrator gives it.',
  })
  @ApiData(IssuedLinkView, { status: HttpStatus.CREATED })
  @ApiErrors('FLOW_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'SESSION_NOT_FOUND', 'STATE_CONFLICT')
  async create(
    @CurrentClient() client: ClientPrincipal,
    @Acting() acting: Acting,
    @Body() body: NewSessionBody,
  ): Promise<Success<IssuedLinkView>> {
    const link = await this.sessions.open(acting, {
      ...(await this.reader.requestOf(client.organisationId, body)),
      trigger: 'API',
      clientAppId: client.id,
    });
    return envelope(IssuedLinkView.of(link));
  }

  @Get(':id')
  @ForClient('sessions:read')
  @ApiOperation({ operationId: 'getSession', summary: 'One session of the application, with its result' })
  @ApiParam({ name: 'id', example: 'kys_019364d0c0de7000a000000000000001' })
  @ApiData(SessionView)
  @ApiErrors('SESSION_NOT_FOUND')
  async one(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<SessionView>> {
    const session = await this.reader.named(client.organisationId, id);
    if (session.clientAppId !== client.id) throw new DomainError('SESSION_NOT_FOUND');
    const mayAct = client.scopes.has('sessions:create') || id.startsWith('ses_');
    return envelope(SessionView.of(session, mayAct ? await this.reader.linkOf(session) : null));
  }
}
