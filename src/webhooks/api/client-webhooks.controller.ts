import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentClient,
  CurrentRequest,
  cursorKeys,
  envelope,
  ForClient,
  Idempotent,
  page,
  PageQuery,
  type ClientPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { ErrorCode } from '../../kernel/index.js';
import { DeliveryLog } from '../delivery-log.service.js';
import { EndpointStates } from '../endpoint-states.service.js';
import { EndpointStatisticsReader } from '../endpoint-statistics.js';
import { Recoveries } from '../recoveries.service.js';
import { TestEvents } from '../test-events.service.js';
import { WebhookEndpoints } from '../webhook-endpoints.service.js';
import { byClient, deliveryFilter, endpointIn, ofClient, recoveryRequest, testEventView } from './calls.js';
import { DeliveryDetailView, DeliveryQuery, DeliveryView } from './delivery.dto.js';
import {
  ChangeEndpointBody,
  CreateEndpointBody,
  DisableEndpointBody,
  EndpointQuery,
  PauseEndpointBody,
  RecoverBody,
  RotateSecretBody,
  StatisticsQuery,
  TestEventBody,
} from './endpoint.dto.js';
import {
  EndpointSecretView,
  EndpointStatisticsView,
  EndpointView,
  RecoveryView,
  TestEventView,
} from './endpoint.view.dto.js';
import { idIn, NOTHING_TO_SAY } from './params.js';

/** For applications that manage their own endpoints. */
const Managed = (...codes: readonly ErrorCode[]): MethodDecorator =>
  applyDecorators(
    ForClient('webhooks:manage'),
    ApiErrors(
      'VALIDATION_FAILED',
      'UNSUPPORTED_VERSION',
      'CREDENTIALS_MISSING',
      'CREDENTIALS_INVALID',
      'APP_DISABLED',
      'SCOPE_INSUFFICIENT',
      'IP_NOT_ALLOWED',
      'RATE_LIMITED',
      'NOT_READY',
      ...codes,
    ),
  );
const BODY = ['MALFORMED_JSON', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const;
const endpointId = (id: string): string => idIn('whe', id, 'ENDPOINT_NOT_FOUND');

@ApiTags('Webhook endpoints')
@Controller()
export class ClientWebhooksController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly states: EndpointStates,
    private readonly tests: TestEvents,
    private readonly statistics: EndpointStatisticsReader,
    private readonly recoveries: Recoveries,
    private readonly log: DeliveryLog,
  ) {}

  @Get('webhook-endpoints')
  @Managed('CURSOR_INVALID')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of this application',
  })
  @ApiPage(EndpointView)
  async list(
    @CurrentClient() client: ClientPrincipal,
    @Query() { limit, cursor, status }: EndpointQuery,
  ): Promise<Page<EndpointView>> {
    const after = (cursorKeys(cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.endpoints.page(ofClient(client), { status }, after, limit);
    return page(
      rows,
      limit,
      ({ id }) => [id],
      (row) => EndpointView.of(row),
    );
  }

  @Post('webhook-endpoints')
  @Managed(...BODY)
  @Idempotent()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async create(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Body() body: CreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    const { organisationId, id: clientAppId } = client;
    const by = byClient(client, request);
    const created = await this.endpoints.create({ ...endpointIn(body), ...by, organisationId, clientAppId });
    return envelope(EndpointSecretView.of(created));
  }

  @Get('webhook-endpoints/:id')
  @Managed('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiData(EndpointView)
  async read(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.endpoints.get(ofClient(client), endpointId(id))));
  }

  @Patch('webhook-endpoints/:id')
  @Managed('ENDPOINT_NOT_FOUND', ...BODY)
  @ApiOperation({ operationId: 'changeWebhookEndpoint', summary: 'Change a webhook endpoint' })
  @ApiData(EndpointView)
  async change(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() body: ChangeEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byClient(client, request);
    return envelope(EndpointView.of(await this.endpoints.change(ofClient(client), endpointId(id), body, by)));
  }

  @Delete('webhook-endpoints/:id')
  @Managed('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'removeWebhookEndpoint', summary: 'Remove a webhook endpoint for good' })
  @ApiData(null)
  async remove(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<null>> {
    await this.states.remove(ofClient(client), endpointId(id), byClient(client, request));
    return envelope(null);
  }

  @Post('webhook-endpoints/:id/pause')
  @Managed('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'pauseWebhookEndpoint', summary: 'Let deliveries collect and wait' })
  @ApiData(EndpointView)
  async pause(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { reason }: PauseEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byClient(client, request);
    return envelope(EndpointView.of(await this.states.pause(ofClient(client), endpointId(id), by, reason)));
  }

  @Post('webhook-endpoints/:id/resume')
  @Managed('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'resumeWebhookEndpoint',
    summary: 'Take a paused or disabled endpoint into use again',
    description:
      'What collected while it was paused is sent now. What happened while it was disabled: recover it.',
  })
  @ApiBody(NOTHING_TO_SAY)
  @ApiData(EndpointView)
  async resume(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<EndpointView>> {
    const by = byClient(client, request);
    return envelope(EndpointView.of(await this.states.resume(ofClient(client), endpointId(id), by)));
  }

  @Post('webhook-endpoints/:id/disable')
  @Managed('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'disableWebhookEndpoint', summary: 'End an endpoint, with a reason' })
  @ApiData(EndpointView)
  async disable(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { reason }: DisableEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byClient(client, request);
    return envelope(EndpointView.of(await this.states.disable(ofClient(client), endpointId(id), by, reason)));
  }

  @Post('webhook-endpoints/:id/secret/rotate')
  @Managed('ENDPOINT_NOT_FOUND', ...BODY)
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give an endpoint a new signing secret',
    description:
      'Shown this once. For the overlap both secrets sign: change your receiver over in that time.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async rotate(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { overlapSeconds }: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    const by = byClient(client, request);
    const rotated = await this.states.rotate(ofClient(client), endpointId(id), overlapSeconds, by);
    return envelope(EndpointSecretView.of(rotated));
  }

  @Post('webhook-endpoints/:id/test')
  @Managed('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a made-up event with `test: true`',
  })
  @ApiData(TestEventView, { status: HttpStatus.ACCEPTED })
  async test(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { type }: TestEventBody,
  ): Promise<Success<TestEventView>> {
    const by = byClient(client, request);
    return envelope(testEventView(await this.tests.send(ofClient(client), endpointId(id), type, by)));
  }

  @Get('webhook-endpoints/:id/statistics')
  @Managed('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpointStatistics', summary: 'How an endpoint has been doing' })
  @ApiData(EndpointStatisticsView)
  async numbers(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
    @Query() { hours }: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return envelope(
      EndpointStatisticsView.of(await this.statistics.of(ofClient(client), endpointId(id), hours)),
    );
  }

  @Post('webhook-endpoints/:id/recover')
  @Managed('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'recoverWebhookEndpoint',
    summary: 'Send an endpoint the events that it never got',
    description:
      'A job: read its progress at /recoveries/{recoveryId}. Events that were delivered, or wait to be, are left alone.',
  })
  @ApiData(RecoveryView, { status: HttpStatus.ACCEPTED })
  async recover(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() body: RecoverBody,
  ): Promise<Success<RecoveryView>> {
    const by = byClient(client, request);
    const started = await this.recoveries.start(ofClient(client), endpointId(id), recoveryRequest(body), by);
    return envelope(RecoveryView.of(started));
  }

  @Get('webhook-endpoints/:id/recoveries')
  @Managed('ENDPOINT_NOT_FOUND', 'CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookRecoveries', summary: 'List the recoveries of an endpoint' })
  @ApiPage(RecoveryView)
  async listRecoveries(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<RecoveryView>> {
    const before = (cursorKeys(cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.recoveries.page(ofClient(client), endpointId(id), before, limit);
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => RecoveryView.of(row),
    );
  }

  @Get('webhook-endpoints/:id/recoveries/:recoveryId')
  @Managed('ENDPOINT_NOT_FOUND', 'RECOVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookRecovery', summary: 'Read the progress of a recovery' })
  @ApiData(RecoveryView)
  async readRecovery(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
    @Param('recoveryId') recoveryId: string,
  ): Promise<Success<RecoveryView>> {
    const recovery = idIn('whr', recoveryId, 'RECOVERY_NOT_FOUND');
    return envelope(RecoveryView.of(await this.recoveries.get(ofClient(client), endpointId(id), recovery)));
  }

  @Get('webhook-deliveries')
  @Managed('CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(
    @CurrentClient() client: ClientPrincipal,
    @Query() query: DeliveryQuery,
  ): Promise<Page<DeliveryView>> {
    const before = (cursorKeys(query.cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.log.page(ofClient(client), deliveryFilter(query), before, query.limit);
    return page(
      rows,
      query.limit,
      ({ id }) => [id],
      (row) => DeliveryView.of(row),
    );
  }

  @Get('webhook-deliveries/:id')
  @Managed('DELIVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its attempts' })
  @ApiData(DeliveryDetailView)
  async delivery(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<DeliveryDetailView>> {
    const found = await this.log.get(ofClient(client), idIn('whd', id, 'DELIVERY_NOT_FOUND'));
    return envelope(DeliveryDetailView.from(found));
  }

  @Post('webhook-deliveries/:id/retry')
  @Managed('DELIVERY_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'retryWebhookDelivery',
    summary: 'Send an event once more, with the same id and bytes',
  })
  @ApiBody(NOTHING_TO_SAY)
  @ApiData(DeliveryView, { status: HttpStatus.ACCEPTED })
  async retry(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<DeliveryView>> {
    const delivery = idIn('whd', id, 'DELIVERY_NOT_FOUND');
    return envelope(
      DeliveryView.of(await this.log.retry(ofClient(client), delivery, byClient(client, request))),
    );
  }
}
