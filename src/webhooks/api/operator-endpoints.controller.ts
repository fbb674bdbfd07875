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
  ForOperator,
  Idempotent,
  PageQuery,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn, uuidInFilter } from '../../kernel/index.js';
import {
  ChangeEndpointBody,
  DisableEndpointBody,
  OperatorCreateEndpointBody,
  OperatorEndpointQuery,
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

@ApiTags('Webhook endpoints')
@Controller('operator/webhook-endpoints')
export class OperatorEndpointsController {
  constructor(private readonly answers: WebhookAnswers) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of the organisation',
  })
  @ApiPage(EndpointView)
  async list(@Acting() acting: Acting, @Query() query: OperatorEndpointQuery): Promise<Page<EndpointView>> {
    const { status, clientAppId } = query;
    const filter = { status, clientAppId: uuidInFilter('app', clientAppId, 'clientAppId') };
    return this.answers.list(acting, filter, query);
  }

  @Post()
  @ForOperator('webhooks:secrets')
  @ApiErrors('APP_NOT_FOUND')
  @Idempotent()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async create(
    @Acting() acting: Acting,
    @Body() body: OperatorCreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    const clientAppId = uuidIn('app', body.clientAppId, 'APP_NOT_FOUND');
    return this.answers.create(acting, clientAppId, body);
  }

  @Get(':id')
  @ForOperator('webhooks:read')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiData(EndpointView)
  async read(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<EndpointView>> {
    return this.answers.read(acting, id);
  }

  @Patch(':id')
  @ForOperator('webhooks:manage')
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

  @Delete(':id')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'removeWebhookEndpoint', summary: 'Remove a webhook endpoint for good' })
  @ApiData(null)
  async remove(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<null>> {
    return this.answers.remove(acting, id);
  }

  @Post(':id/pause')
  @ForOperator('webhooks:manage')
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

  @Post(':id/resume')
  @ForOperator('webhooks:manage')
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

  @Post(':id/disable')
  @ForOperator('webhooks:manage')
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

  @Post(':id/secret/rotate')
  @ForOperator('webhooks:secrets')
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

  @Post(':id/test')
  @ForOperator('webhooks:manage')
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

  @Get(':id/statistics')
  @ForOperator('webhooks:read')
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

  @Post(':id/recover')
  @ForOperator('webhooks:manage')
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

  @Get(':id/recoveries')
  @ForOperator('webhooks:read')
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

  @Get(':id/recoveries/:recoveryId')
  @ForOperator('webhooks:read')
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
}
