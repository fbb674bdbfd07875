import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { requireUuid } from '../../kernel/index.js';
import { parseInstant } from '../../kernel/values/instant.js';
import { forClient, forOperator, type ClientPrincipal, type OperatorPrincipal } from '../access/access.js';
import { listById, type Page } from '../paging.js';
import { CurrentClient, CurrentOperator } from '../requests/exchange.js';
import { Route } from '../route.js';
import { LoggedRequestView, OperatorRequestQuery, RequestQuery } from './request-log.dto.js';
import { RequestLog } from './request-log.service.js';

const DESCRIPTION =
  'The last thirty days: which members a body had and what was wrong where, never a value. A request is there a second ' +
  'after its answer; requests without valid credentials are not.';

@ApiTags('Requests')
@Controller()
export class RequestLogController {
  constructor(private readonly requestLog: RequestLog) {}

  @Route.get('requests', forClient('requests:read'), {
    summary: 'List the requests of this application, the newest first',
    description: DESCRIPTION,
    page: [LoggedRequestView, 'One page of requests.'],
  })
  async listRequests(
    @CurrentClient() { organisationId, id: clientAppId }: ClientPrincipal,
    @Query() query: RequestQuery,
  ) {
    return this.list({ organisationId, clientAppId }, query);
  }

  @Route.get('operator/requests', forOperator('apps:read'), {
    summary: 'List the requests of an application, the newest first',
    description: DESCRIPTION,
    page: [LoggedRequestView, 'One page of requests.'],
    errors: ['APP_NOT_FOUND'],
  })
  async listRequestsOfApp(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: OperatorRequestQuery,
  ) {
    return this.list(
      { organisationId, clientAppId: requireUuid('app', query.clientAppId, 'APP_NOT_FOUND') },
      query,
    );
  }

  private list(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    query: RequestQuery,
  ): Promise<Page<LoggedRequestView>> {
    const { requestId, route, status, code, since, until } = query;
    const filter = { requestId, route, status, code, since: instantOf(since), until: instantOf(until) };
    return listById(query, LoggedRequestView, (before, limit) =>
      this.requestLog.page(owner, filter, before, limit),
    );
  }
}

/** Parses a time of the query, which was validated before. */
const instantOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : (parseInstant(text) ?? undefined);
