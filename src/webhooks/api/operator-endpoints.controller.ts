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
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { EndpointStates } from '../endpoint-states.service.js';
import { EndpointStatisticsReader } from '../endpoint-statistics.js';
import { Recoveries } from '../recoveries.service.js';
import { TestEvents } from '../test-events.service.js';
import { WebhookEndpoints } from '../webhook-endpoints.service.js';
import { byOperator, endpointIn, ofOperator, recoveryRequest, testEventView } from './calls.js';
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
import { idIn, idOf, NOTHING_TO_SAY } from './params.js';

const BODY = ['VALIDATION_FAILED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const;
const endpointId = (id: string): string => idIn('whe', id, 'ENDPOINT_NOT_FOUND');

@ApiTags('Webhook endpoints')
@Controller('operator/webhook-endpoints')
export class OperatorEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly states: EndpointStates,
    private readonly tests: TestEvents,
    private readonly statistics: EndpointStatisticsReader,
    private readonly recoveries: Recoveries,
  ) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiErrors('CURSOR_INVALID')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of the organisation',
  })
  @ApiPage(EndpointView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { limit, cursor, status, clientAppId }: OperatorEndpointQuery,
  ): Promise<Page<EndpointView>> {
    const after = (cursorKeys(cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.endpoints.page(
      ofOperator(operator),
      { status, clientAppId: idOf('app', clientAppId, 'clientAppId') },
      after,
      limit,
    );
    return page(
      rows,
      limit,
      ({ id }) => [id],
      (row) => EndpointView.of(row),
    );
  }

  @Post()
  @ForOperator('webhooks:secrets')
  @ApiErrors('APP_NOT_FOUND', ...BODY)
  @Idempotent()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async create(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Body() body: OperatorCreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    const clientAppId = idIn('app', body.clientAppId, 'APP_NOT_FOUND');
    const { organisationId } = operator;
    const by = byOperator(operator, request);
    const created = await this.endpoints.create({ ...endpointIn(body), ...by, organisationId, clientAppId });
    return envelope(EndpointSecretView.of(created));
  }

  @Get(':id')
  @ForOperator('webhooks:read')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Read a webhook endpoint' })
  @ApiData(EndpointView)
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.endpoints.get(ofOperator(operator), endpointId(id))));
  }

  @Patch(':id')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', ...BODY)
  @ApiOperation({ operationId: 'changeWebhookEndpoint', summary: 'Change a webhook endpoint' })
  @ApiData(EndpointView)
  async change(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() body: ChangeEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byOperator(operator, request);
    return envelope(
      EndpointView.of(await this.endpoints.change(ofOperator(operator), endpointId(id), body, by)),
    );
  }

  @Delete(':id')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'removeWebhookEndpoint', summary: 'Remove a webhook endpoint for good' })
  @ApiData(null)
  async remove(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<null>> {
    await this.states.remove(ofOperator(operator), endpointId(id), byOperator(operator, request));
    return envelope(null);
  }

  @Post(':id/pause')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'pauseWebhookEndpoint', summary: 'Let deliveries collect and wait' })
  @ApiData(EndpointView)
  async pause(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { reason }: PauseEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byOperator(operator, request);
    return envelope(
      EndpointView.of(await this.states.pause(ofOperator(operator), endpointId(id), by, reason)),
    );
  }

  @Post(':id/resume')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
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
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<EndpointView>> {
    const by = byOperator(operator, request);
    return envelope(EndpointView.of(await this.states.resume(ofOperator(operator), endpointId(id), by)));
  }

  @Post(':id/disable')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'disableWebhookEndpoint', summary: 'End an endpoint, with a reason' })
  @ApiData(EndpointView)
  async disable(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { reason }: DisableEndpointBody,
  ): Promise<Success<EndpointView>> {
    const by = byOperator(operator, request);
    return envelope(
      EndpointView.of(await this.states.disable(ofOperator(operator), endpointId(id), by, reason)),
    );
  }

  @Post(':id/secret/rotate')
  @ForOperator('webhooks:secrets')
  @ApiErrors('ENDPOINT_NOT_FOUND', ...BODY)
  @Idempotent()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give an endpoint a new signing secret',
    description:
      'Shown this once. For the overlap both secrets sign: change your receiver over in that time.',
  })
  @ApiData(EndpointSecretView, { status: HttpStatus.CREATED })
  async rotate(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { overlapSeconds }: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    const by = byOperator(operator, request);
    const rotated = await this.states.rotate(ofOperator(operator), endpointId(id), overlapSeconds, by);
    return envelope(EndpointSecretView.of(rotated));
  }

  @Post(':id/test')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a made-up event with `test: true`',
  })
  @ApiData(TestEventView, { status: HttpStatus.ACCEPTED })
  async test(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() { type }: TestEventBody,
  ): Promise<Success<TestEventView>> {
    const by = byOperator(operator, request);
    return envelope(testEventView(await this.tests.send(ofOperator(operator), endpointId(id), type, by)));
  }

  @Get(':id/statistics')
  @ForOperator('webhooks:read')
  @ApiErrors('ENDPOINT_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookEndpointStatistics', summary: 'How an endpoint has been doing' })
  @ApiData(EndpointStatisticsView)
  async numbers(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() { hours }: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return envelope(
      EndpointStatisticsView.of(await this.statistics.of(ofOperator(operator), endpointId(id), hours)),
    );
  }

  @Post(':id/recover')
  @ForOperator('webhooks:manage')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
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
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
    @Body() body: RecoverBody,
  ): Promise<Success<RecoveryView>> {
    const by = byOperator(operator, request);
    const started = await this.recoveries.start(
      ofOperator(operator),
      endpointId(id),
      recoveryRequest(body),
      by,
    );
    return envelope(RecoveryView.of(started));
  }

  @Get(':id/recoveries')
  @ForOperator('webhooks:read')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookRecoveries', summary: 'List the recoveries of an endpoint' })
  @ApiPage(RecoveryView)
  async listRecoveries(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<RecoveryView>> {
    const before = (cursorKeys(cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.recoveries.page(ofOperator(operator), endpointId(id), before, limit);
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => RecoveryView.of(row),
    );
  }

  @Get(':id/recoveries/:recoveryId')
  @ForOperator('webhooks:read')
  @ApiErrors('ENDPOINT_NOT_FOUND', 'RECOVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookRecovery', summary: 'Read the progress of a recovery' })
  @ApiData(RecoveryView)
  async readRecovery(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Param('recoveryId') recoveryId: string,
  ): Promise<Success<RecoveryView>> {
    const recovery = idIn('whr', recoveryId, 'RECOVERY_NOT_FOUND');
    return envelope(
      RecoveryView.of(await this.recoveries.get(ofOperator(operator), endpointId(id), recovery)),
    );
  }
}
