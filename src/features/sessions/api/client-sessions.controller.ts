import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentClient,
  envelope,
  forClient,
  Route,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../actor-context.js';
import { SessionReaderService } from '../link/session-reader.service.js';
import { SessionIssuerService } from '../session-issuer.service.js';
import { NewSessionBody } from './session.dto.js';
import { IssuedLinkView, SessionView } from './session.view.dto.js';

/** Serves sessions to applications, which need scopes that an administrator grants. */
@ApiTags('Verification sessions')
@Controller('kyc-sessions')
export class ClientSessionsController {
  constructor(
    private readonly issuer: SessionIssuerService,
    private readonly reader: SessionReaderService,
  ) {}

  @Route.post('', forClient('sessions:create'), {
    summary: 'Make the link of a new session',
    description:
      'Needs the scope `sessions:create`, which no application has until an administrator gives it.',
    data: [IssuedLinkView, 'The link of the session.'],
    status: 201,
    errors: ['FLOW_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'SESSION_NOT_FOUND', 'STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    idempotent: true,
  })
  async createSession(
    @CurrentClient() client: ClientPrincipal,
    @CurrentActor() ctx: SessionActorContext,
    @Body() body: NewSessionBody,
  ) {
    const link = await this.issuer.createSession(ctx, {
      ...(await this.reader.resolveRequest(client.organisationId, body)),
      trigger: 'API',
      clientAppId: client.id,
    });
    return envelope(IssuedLinkView.of(link));
  }

  @Route.get(':id', forClient('sessions:read'), {
    summary: 'One session of the application, with its result',
    description: 'Sessions of other applications are answered like ones that never existed.',
    params: [
      { name: 'id', description: 'The id of the session.', example: 'kys_019364d0c0de7000a000000000000001' },
    ],
    data: [SessionView, 'The session.'],
    errors: ['SESSION_NOT_FOUND'],
  })
  async getSession(@CurrentClient() client: ClientPrincipal, @Param('id') id: string) {
    const session = await this.reader.find(client.organisationId, id);
    if (session.clientAppId !== client.id) throw new DomainError('SESSION_NOT_FOUND');
    const mayAct = client.scopes.has('sessions:create') || id.startsWith('ses_');
    const link = mayAct ? await this.reader.readLink(session) : null;
    return envelope(SessionView.of(session, link, await this.reader.readMetadata(session)));
  }
}
