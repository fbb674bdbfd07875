import {
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
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentClient,
  envelope,
  ForClient,
  Idempotent,
  PageQuery,
  type ClientPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
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
@ApiTags('Webhook endpoints')
@Controller()
export class ClientWebhooksController {
  constructor(private readonly answers: WebhookAnswers) {}

  @Get('webhook-endpoints')
  @ForClient('webhooks:manage')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of this application',
  })
  @ApiPage(EndpointView)
  async list(@Acting() acting: Acting, @Query() query: EndpointQuery): Promise<Page<EndpointView>> {
    return this.answers.list(acting, { status: query.status }, query);
  }

  @Post('webhook-endpoints')
  @ForClient('webhooks:manage')
  @Idempotent()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async create(
    @CurrentClient() client: ClientPrincipal,
    @Acting() acting: Acting,
    @Body() body: CreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    return this.answers.create(acting, client.id, body);
  }

  @Get('webhook-endpoints/:id')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiData(EndpointView)
  async read(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<EndpointView>> {
    return this.answers.read(acting, id);
  }

  @Patch('webhook-endpoints/:id')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'changeWebhookEndpoint', summary: 'Change a webhook endpoint' })
  @ApiData(EndpointView)
  async change(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: ChangeEndpointBody,
  ): Promise<Success<EndpointView>> {
    return this.answers.change(acting, id, body);
  }

  @Delete('webhook-endpoints/:id')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'removeWebhookEndpoint', summary: 'Remove a webhook endpoint for good' })
  @ApiData(null)
  async remove(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<null>> {
    return this.answers.remove(acting, id);
  }

  @Post('webhook-endpoints/:id/pause')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'pauseWebhookEndpoint', summary: 'Let deliveries collect and wait' })
  @ApiData(EndpointView)
  async pause(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: PauseEndpointBody,
  ): Promise<Success<EndpointView>> {
    return this.answers.pause(acting, id, body);
  }

  @Post('webhook-endpoints/:id/resume')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'resumeWebhookEndpoint',
    summary: 'Take a paused or disabled endpoint into use again',
    description:
      'What collected while it was paused is sent now. What happened while it was disabled: recover it.',
  })
  @ApiBody(NOTHING_TO_SAY)
  @ApiData(EndpointView)
  async resume(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<EndpointView>> {
    return this.answers.resume(acting, id);
  }

  @Post('webhook-endpoints/:id/disable')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'disableWebhookEndpoint', summary: 'End an endpoint, with a reason' })
  @ApiData(EndpointView)
  async disable(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: DisableEndpointBody,
  ): Promise<Success<EndpointView>> {
    return this.answers.disable(acting, id, body);
  }

  @Post('webhook-endpoints/:id/secret/rotate')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give an endpoint a new signing secret',
    description:
      'Shown this once. For the overlap both secrets sign: change your receiver over in that time.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async rotate(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    return this.answers.rotate(acting, id, body);
  }

  @Post('webhook-endpoints/:id/test')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT')
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a made-up event with `test: true`',
  })
  @ApiData(TestEventView, { status: HttpStatus.ACCEPTED })
  async test(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: TestEventBody,
  ): Promise<Success<TestEventView>> {
    return this.answers.test(acting, id, body);
  }

  @Get('webhook-endpoints/:id/statistics')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpointStatistics', summary: 'How an endpoint has been doing' })
  @ApiData(EndpointStatisticsView)
  async numbers(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() query: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return this.answers.numbers(acting, id, query);
  }

  @Post('webhook-endpoints/:id/recover')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT')
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
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: RecoverBody,
  ): Promise<Success<RecoveryView>> {
    return this.answers.recover(acting, id, body);
  }

  @Get('webhook-endpoints/:id/recoveries')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'listWebhookRecoveries', summary: 'List the recoveries of an endpoint' })
  @ApiPage(RecoveryView)
  async listRecoveries(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<Page<RecoveryView>> {
    return this.answers.listRecoveries(acting, id, query);
  }

  @Get('webhook-endpoints/:id/recoveries/:recoveryId')
  @ForClient('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'RECOVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookRecovery', summary: 'Read the progress of a recovery' })
  @ApiData(RecoveryView)
  async readRecovery(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Param('recoveryId') recoveryId: string,
  ): Promise<Success<RecoveryView>> {
    return this.answers.readRecovery(acting, id, recoveryId);
  }

  @Get('webhook-deliveries')
  @ForClient('webhooks:manage')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(@Acting() acting: Acting, @Query() query: DeliveryQuery): Promise<Page<DeliveryView>> {
    return this.answers.deliveries(acting, query);
  }

  @Get('webhook-deliveries/:id')
  @ForClient('webhooks:manage')
  @ApiErrors('DELIVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its attempts' })
  @ApiData(DeliveryDetailView)
  async delivery(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<DeliveryDetailView>> {
    return envelope(DeliveryDetailView.from(await this.answers.delivery(acting, id)));
  }

  @Post('webhook-deliveries/:id/retry')
  @ForClient('webhooks:manage')
  @ApiErrors('DELIVERY_NOT_FOUND', 'STATE_CONFLICT')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'retryWebhookDelivery',
    summary: 'Send an event once more, with the same id and bytes',
  })
  @ApiBody(NOTHING_TO_SAY)
  @ApiData(DeliveryView, { status: HttpStatus.ACCEPTED })
  async retry(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<DeliveryView>> {
    return this.answers.retry(acting, id);
  }
}
