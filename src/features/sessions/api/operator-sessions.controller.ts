import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClientDirectoryService } from '../../auth/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError, uuidOf } from '../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../actor-context.js';
import { SessionReaderService } from '../link/session-reader.service.js';
import { SessionIssuerService } from '../session-issuer.service.js';
import { SessionsService } from '../sessions.service.js';
import type { SessionRow } from '../domain/records.js';
import { NewOperatorSessionBody, SESSION_PATH_ID, SessionsQuery } from './session.dto.js';
import { IssuedLinkView, SessionView } from './session.view.dto.js';

@ApiTags('Verification sessions')
@Controller('operator/kyc-sessions')
export class OperatorSessionsController {
  constructor(
    private readonly issuer: SessionIssuerService,
    private readonly sessions: SessionsService,
    private readonly reader: SessionReaderService,
    private readonly clients: ClientDirectoryService,
  ) {}

  @Route.post('', forOperator('sessions:create'), {
    summary: 'Make the link of a new session for a customer',
    description: 'Give the link to the customer, and to nobody else.',
    data: [IssuedLinkView, 'The link of the session.'],
    status: 201,
    errors: [
      'FLOW_NOT_FOUND',
      'CUSTOMER_NOT_FOUND',
      'SESSION_NOT_FOUND',
      'APP_NOT_FOUND',
      'STATE_CONFLICT',
      'QUOTA_EXCEEDED',
    ],
    idempotent: true,
  })
  async createSession(@CurrentActor() ctx: SessionActorContext, @Body() body: NewOperatorSessionBody) {
    const { organisationId } = ctx;
    const link = await this.issuer.createSession(ctx, {
      ...(await this.reader.resolveRequest(organisationId, body)),
      trigger: 'OPERATOR',
      ...(body.clientId === undefined
        ? {}
        : { clientAppId: await this.findApp(organisationId, body.clientId) }),
    });
    return envelope(IssuedLinkView.of(link));
  }

  @Route.get('', forOperator('sessions:read'), {
    summary: 'Sessions, newest first',
    description: 'Filtered by status and customer. A session is named by its reference, which opens nothing.',
    page: [SessionView, 'One page of sessions.'],
  })
  async listSessions(@CurrentOperator() operator: OperatorPrincipal, @Query() query: SessionsQuery) {
    const { status, customerId, flowKey } = query;
    const customer = customerId === undefined ? undefined : (uuidOf('cus', customerId) ?? undefined);
    const filter = { status, flowKey, customerId: customer };
    return listById(
      query,
      { of: ({ view }: { readonly view: SessionView }) => view },
      async (before, limit) => {
        const rows = await this.sessions.page(operator.organisationId, filter, before, limit);
        return Promise.all(
          rows.map(async (row) => ({ id: row.id, view: await this.viewFor(operator, row) })),
        );
      },
    );
  }

  @Route.get(':id', forOperator('sessions:read'), {
    reads: 'session',
    summary: 'One session, with its result and evidence',
    description: 'Named by its reference, which opens nothing.',
    params: [SESSION_PATH_ID],
    data: [SessionView, 'The session.'],
    errors: ['SESSION_NOT_FOUND'],
  })
  async getSession(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return envelope(await this.viewFor(operator, await this.reader.find(operator.organisationId, id)));
  }

  @Route.post(':id/cancel', forOperator('sessions:create'), {
    summary: 'End a session that nobody has submitted: EXPIRED, with the reason CANCELLED',
    description:
      'The link shows that the session has expired. A session that was submitted cannot be cancelled.',
    params: [SESSION_PATH_ID],
    data: [SessionView, 'The session.'],
    errors: ['SESSION_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async cancelSession(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentActor() ctx: SessionActorContext,
    @Param('id') id: string,
  ) {
    const session = await this.reader.find(operator.organisationId, id);
    const cancelledSession = await this.sessions.cancel(ctx, session.id);
    return envelope(await this.viewFor(operator, cancelledSession));
  }

  /** Includes the link only for operators who may create links themselves. */
  private async viewFor(operator: OperatorPrincipal, session: SessionRow): Promise<SessionView> {
    const mayAct = operator.permissions.has('sessions:create');
    const link = mayAct ? await this.reader.readLink(session) : null;
    return SessionView.of(session, link, await this.reader.readMetadata(session));
  }

  private async findApp(organisationId: string, clientId: string): Promise<string> {
    const client = await this.clients.find(clientId);
    if (client?.principal.organisationId !== organisationId) throw new DomainError('APP_NOT_FOUND');
    return client.principal.id;
  }
}
