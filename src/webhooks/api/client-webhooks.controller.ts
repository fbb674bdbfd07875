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
  envelope,
  ForClient,
  Idempotent,
  PageQuery,
  type ClientPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { ErrorCode } from '../../kernel/index.js';
import { byClient, ofClient } from './calls.js';
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
import { NOTHING_TO_SAY } from './params.js';
import { WebhookAnswers } from './webhook-answers.js';

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

@ApiTags('Webhook endpoints')
@Controller()
export class ClientWebhooksController {
  constructor(private readonly answers: WebhookAnswers) {}

  @Get('webhook-endpoints')
  @Managed('CURSOR_INVALID')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of this application',
  })
  @ApiPage(EndpointView)
  async list(
    @CurrentClient() client: ClientPrincipal,
    @Query() query: EndpointQuery,
  ): Promise<Page<EndpointView>> {
    return this.answers.list(ofClient(client), { status: query.status }, query);
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
    return this.answers.create(byClient(client, request), client.id, body);
  }

  @Get('webhook-endpoints/:id')
  @Managed('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiData(EndpointView)
  async read(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<EndpointView>> {
    return this.answers.read(ofClient(client), id);
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
    return this.answers.change(byClient(client, request), id, body);
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
    return this.answers.remove(byClient(client, request), id);
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
    @Body() body: PauseEndpointBody,
  ): Promise<Success<EndpointView>> {
    return this.answers.pause(byClient(client, request), id, body);
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
    return this.answers.resume(byClient(client, request), id);
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
    @Body() body: DisableEndpointBody,
  ): Promise<Success<EndpointView>> {
    return this.answers.disable(byClient(client, request), id, body);
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
    @Body() body: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    return this.answers.rotate(byClient(client, request), id, body);
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
    @Body() body: TestEventBody,
  ): Promise<Success<TestEventView>> {
    return this.answers.test(byClient(client, request), id, body);
  }

  @Get('webhook-endpoints/:id/statistics')
  @Managed('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpointStatistics', summary: 'How an endpoint has been doing' })
  @ApiData(EndpointStatisticsView)
  async numbers(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
    @Query() query: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return this.answers.numbers(ofClient(client), id, query);
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
    return this.answers.recover(byClient(client, request), id, body);
  }

  @Get('webhook-endpoints/:id/recoveries')
  @Managed('ENDPOINT_NOT_FOUND', 'CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookRecoveries', summary: 'List the recoveries of an endpoint' })
  @ApiPage(RecoveryView)
  async listRecoveries(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<Page<RecoveryView>> {
    return this.answers.listRecoveries(ofClient(client), id, query);
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
    return this.answers.readRecovery(ofClient(client), id, recoveryId);
  }

  @Get('webhook-deliveries')
  @Managed('CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(
    @CurrentClient() client: ClientPrincipal,
    @Query() query: DeliveryQuery,
  ): Promise<Page<DeliveryView>> {
    return this.answers.deliveries(ofClient(client), query);
  }

  @Get('webhook-deliveries/:id')
  @Managed('DELIVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its attempts' })
  @ApiData(DeliveryDetailView)
  async delivery(
    @CurrentClient() client: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<DeliveryDetailView>> {
    return envelope(DeliveryDetailView.from(await this.answers.delivery(ofClient(client), id)));
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
    return this.answers.retry(byClient(client, request), id);
  }
}
