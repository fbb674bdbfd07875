import { Body, Controller, Injectable, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentClient,
  envelope,
  forClient,
  forOperator,
  Idempotent,
  listById,
  PageQuery,
  Route,
  type Access,
  type ClientPrincipal,
  type Page,
  type SuccessEnvelope,
} from '../../../platform/http/index.js';
import { requireUuid, uuidInFilter } from '../../../platform/kernel/index.js';
import { EndpointStatesService } from '../endpoints/endpoint-states.service.js';
import { EndpointStatisticsService } from '../endpoints/endpoint-statistics.service.js';
import { TestEventsService } from '../endpoints/test-events.service.js';
import { WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';
import { RecoveriesService } from '../recoveries/recoveries.service.js';
import { endpointIn, toRecoveryRequest, endpointScopeOf, testEventView } from './calls.js';
import {
  ChangeEndpointBody,
  CreateEndpointBody,
  DisableEndpointBody,
  EndpointQuery,
  OperatorCreateEndpointBody,
  OperatorEndpointQuery,
  PauseEndpointBody,
  RecoverBody,
  RotateEndpointSecretBody,
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
import { EMPTY_BODY } from './params.js';

const ENDPOINT_ID = { name: 'id', description: 'The id of the endpoint, whe_….' };
const RECOVERY_ID = { name: 'recoveryId', description: 'The id of the recovery, whr_….' };

const endpointId = (id: string): string => requireUuid('whe', id, 'ENDPOINT_NOT_FOUND');

interface EndpointAccess {
  readonly read: Access;
  readonly manage: Access;
  /** The access to routes that show a signing secret. */
  readonly secrets: Access;
}

/** The routes of both APIs. They differ in the required access and in the endpoints that a caller sees. */
function endpointRoutes({ read, manage, secrets }: EndpointAccess) {
  @Injectable()
  abstract class EndpointRoutes {
    constructor(
      private readonly endpoints: WebhookEndpointsService,
      private readonly states: EndpointStatesService,
      private readonly tests: TestEventsService,
      private readonly statistics: EndpointStatisticsService,
      private readonly recoveries: RecoveriesService,
    ) {}

    @Route.get(':id', read, {
      params: [ENDPOINT_ID],
      summary: 'Read a webhook endpoint',
      description: 'Its address, what it is subscribed to and its state; never its secret.',
      data: [EndpointView, 'The endpoint.'],
      errors: ['ENDPOINT_NOT_FOUND'],
    })
    async getWebhookEndpoint(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
      return envelope(EndpointView.of(await this.endpoints.get(endpointScopeOf(ctx), endpointId(id))));
    }

    @Route.patch(':id', manage, {
      params: [ENDPOINT_ID],
      summary: 'Change a webhook endpoint',
      description:
        'Another URL gets another signing secret, which nobody has seen: `secret/rotate` gives one to read.',
      data: [EndpointView, 'The endpoint.'],
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    async changeWebhookEndpoint(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: ChangeEndpointBody,
    ) {
      return envelope(
        EndpointView.of(await this.endpoints.change(endpointScopeOf(ctx), endpointId(id), body, ctx)),
      );
    }

    @Route.delete(':id', manage, {
      params: [ENDPOINT_ID],
      summary: 'Remove a webhook endpoint for good',
      description: 'To stop for a while, pause it: what happens meanwhile then waits.',
      data: [null, 'The endpoint is removed.'],
      errors: ['ENDPOINT_NOT_FOUND'],
    })
    async removeWebhookEndpoint(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
      await this.states.remove(endpointScopeOf(ctx), endpointId(id), ctx);
      return envelope(null);
    }

    @Route.post(':id/pause', manage, {
      params: [ENDPOINT_ID],
      summary: 'Let deliveries collect and wait',
      description: 'Nothing is sent until it is resumed, and nothing is lost.',
      data: [EndpointView, 'The endpoint.'],
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    async pauseWebhookEndpoint(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: PauseEndpointBody,
    ) {
      return envelope(
        EndpointView.of(await this.states.pause(endpointScopeOf(ctx), endpointId(id), ctx, body.reason)),
      );
    }

    @Route.post(':id/resume', manage, {
      params: [ENDPOINT_ID],
      summary: 'Take a paused or disabled endpoint into use again',
      description:
        'What collected while it was paused is sent now. What happened while it was disabled: recover it.',
      body: EMPTY_BODY,
      data: [EndpointView, 'The endpoint.'],
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    async resumeWebhookEndpoint(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
      return envelope(EndpointView.of(await this.states.resume(endpointScopeOf(ctx), endpointId(id), ctx)));
    }

    @Route.post(':id/disable', manage, {
      params: [ENDPOINT_ID],
      summary: 'End an endpoint, with a reason',
      description: 'Nothing is collected for it any more, and what waits is cancelled.',
      data: [EndpointView, 'The endpoint.'],
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    async disableWebhookEndpoint(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: DisableEndpointBody,
    ) {
      return envelope(
        EndpointView.of(await this.states.disable(endpointScopeOf(ctx), endpointId(id), ctx, body.reason)),
      );
    }

    @Route.post(':id/secret/rotate', secrets, {
      params: [ENDPOINT_ID],
      summary: 'Give an endpoint a new signing secret',
      description:
        'Shown this once. For the overlap both secrets sign: change your receiver over in that time.',
      data: [EndpointSecretView, 'The new signing secret, which is shown once.'],
      status: 201,
      errors: ['ENDPOINT_NOT_FOUND'],
      idempotent: true,
    })
    async rotateWebhookSecret(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: RotateEndpointSecretBody,
    ) {
      const rotated = await this.states.rotate(
        endpointScopeOf(ctx),
        endpointId(id),
        body.overlapSeconds,
        ctx,
      );
      return envelope(EndpointSecretView.of(rotated));
    }

    @Route.post(':id/test', manage, {
      params: [ENDPOINT_ID],
      summary: 'Send a made-up event with `test: true`',
      description:
        'Signed and delivered like any other, so that you see whether your receiver is reached and verifies it.',
      data: [TestEventView, 'The ids of the event and of its delivery.'],
      status: 202,
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    // This decorator is below the route's so that the OpenAPI document lists the errors of one status in this order.
    @Idempotent()
    async testWebhookEndpoint(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: TestEventBody,
    ) {
      return envelope(
        testEventView(await this.tests.send(endpointScopeOf(ctx), endpointId(id), body.type, ctx)),
      );
    }

    @Route.get(':id/statistics', read, {
      params: [ENDPOINT_ID],
      summary: 'How an endpoint has been doing',
      description: 'Attempts, failures, the share that succeeded and how long they took, by the hour.',
      data: [EndpointStatisticsView, 'The statistics.'],
      errors: ['ENDPOINT_NOT_FOUND'],
    })
    async getWebhookEndpointStatistics(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Query() query: StatisticsQuery,
    ) {
      return envelope(
        EndpointStatisticsView.of(
          await this.statistics.readStatistics(endpointScopeOf(ctx), endpointId(id), query.hours),
        ),
      );
    }

    @Route.post(':id/recover', manage, {
      params: [ENDPOINT_ID],
      summary: 'Send an endpoint the events that it never got',
      description:
        'A job: read its progress at /recoveries/{recoveryId}. Events that were delivered, or wait to be, are left alone.',
      data: [RecoveryView, 'The recovery, which runs in the background.'],
      status: 202,
      errors: ['ENDPOINT_NOT_FOUND', 'STATE_CONFLICT'],
    })
    // This decorator is below the route's so that the OpenAPI document lists the errors of one status in this order.
    @Idempotent()
    async recoverWebhookEndpoint(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Body() body: RecoverBody,
    ) {
      const started = await this.recoveries.start(
        endpointScopeOf(ctx),
        endpointId(id),
        toRecoveryRequest(body),
        ctx,
      );
      return envelope(RecoveryView.of(started));
    }

    @Route.get(':id/recoveries', read, {
      params: [ENDPOINT_ID],
      summary: 'List the recoveries of an endpoint',
      description: 'The newest first, each with how far it is.',
      page: [RecoveryView, 'One page of recoveries.'],
      errors: ['ENDPOINT_NOT_FOUND'],
    })
    async listWebhookRecoveries(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Query() query: PageQuery,
    ) {
      const endpoint = endpointId(id);
      return listById(query, RecoveryView, (before, limit) =>
        this.recoveries.page(endpointScopeOf(ctx), endpoint, before, limit),
      );
    }

    @Route.get(':id/recoveries/:recoveryId', read, {
      params: [ENDPOINT_ID, RECOVERY_ID],
      summary: 'Read the progress of a recovery',
      description: 'How much of its range was looked at, and how many events are sent again.',
      data: [RecoveryView, 'The recovery.'],
      errors: ['ENDPOINT_NOT_FOUND', 'RECOVERY_NOT_FOUND'],
    })
    async getWebhookRecovery(
      @CurrentActor() ctx: ActorContext,
      @Param('id') id: string,
      @Param('recoveryId') recoveryId: string,
    ) {
      const recovery = requireUuid('whr', recoveryId, 'RECOVERY_NOT_FOUND');
      return envelope(
        RecoveryView.of(await this.recoveries.get(endpointScopeOf(ctx), endpointId(id), recovery)),
      );
    }

    protected async page(
      ctx: ActorContext,
      filter: Parameters<WebhookEndpointsService['page']>[1],
      query: PageQuery,
    ): Promise<Page<EndpointView>> {
      return listById(query, EndpointView, (after, limit) =>
        this.endpoints.page(endpointScopeOf(ctx), filter, after, limit),
      );
    }

    protected async create(
      ctx: ActorContext,
      clientAppId: string,
      body: CreateEndpointBody,
    ): Promise<SuccessEnvelope<EndpointSecretView>> {
      return envelope(
        EndpointSecretView.of(await this.endpoints.create({ ...endpointIn(body), ...ctx, clientAppId })),
      );
    }
  }
  return EndpointRoutes;
}

const manage = forClient('webhooks:manage');

@ApiTags('Webhook endpoints')
@Controller('webhook-endpoints')
export class ClientEndpointsController extends endpointRoutes({ read: manage, manage, secrets: manage }) {
  @Route.get('', manage, {
    summary: 'List the webhook endpoints of this application',
    description: 'Those that operators made for it are among them.',
    page: [EndpointView, 'One page of endpoints.'],
  })
  async listWebhookEndpoints(@CurrentActor() ctx: ActorContext, @Query() query: EndpointQuery) {
    return this.page(ctx, { status: query.status }, query);
  }

  @Route.post('', manage, {
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
    data: [EndpointSecretView, 'The endpoint with its signing secret, which is shown once.'],
    status: 201,
    errors: ['QUOTA_EXCEEDED', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async createWebhookEndpoint(
    @CurrentClient() client: ClientPrincipal,
    @CurrentActor() ctx: ActorContext,
    @Body() body: CreateEndpointBody,
  ) {
    return this.create(ctx, client.id, body);
  }
}

@ApiTags('Webhook endpoints')
@Controller('operator/webhook-endpoints')
export class OperatorEndpointsController extends endpointRoutes({
  read: forOperator('webhooks:read'),
  manage: forOperator('webhooks:manage'),
  secrets: forOperator('webhooks:secrets'),
}) {
  @Route.get('', forOperator('webhooks:read'), {
    summary: 'List the webhook endpoints of the organisation',
    description: 'Those of all its applications, or of one. No signing secret is shown.',
    page: [EndpointView, 'One page of endpoints.'],
  })
  async listWebhookEndpoints(@CurrentActor() ctx: ActorContext, @Query() query: OperatorEndpointQuery) {
    const { status, clientAppId } = query;
    const filter = { status, clientAppId: uuidInFilter('app', clientAppId, 'clientAppId') };
    return this.page(ctx, filter, query);
  }

  @Route.post('', forOperator('webhooks:secrets'), {
    summary: 'Create a webhook endpoint',
    description: 'The answer holds the signing secret, which is shown this once.',
    data: [EndpointSecretView, 'The endpoint with its signing secret, which is shown once.'],
    status: 201,
    errors: ['APP_NOT_FOUND', 'QUOTA_EXCEEDED', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async createWebhookEndpoint(@CurrentActor() ctx: ActorContext, @Body() body: OperatorCreateEndpointBody) {
    const clientAppId = requireUuid('app', body.clientAppId, 'APP_NOT_FOUND');
    return this.create(ctx, clientAppId, body);
  }
}
