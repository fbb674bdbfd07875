import { Controller, Injectable, Param, Query, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  envelope,
  forClient,
  forOperator,
  listById,
  Route,
  type Access,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { DeliveryLogService } from '../delivery/delivery-log.service.js';
import { toDeliveryFilter, endpointScopeOf } from './calls.js';
import {
  DeliveryDetailView,
  DeliveryQuery,
  DeliveryView,
  OperatorDeliveryDetailView,
  type DeliveryDetail,
} from './delivery.dto.js';
import { EMPTY_BODY } from './params.js';

const DELIVERY_ID = { name: 'id', description: 'The id of the delivery, whd_….' };

const deliveryId = (id: string): string => requireUuid('whd', id, 'DELIVERY_NOT_FOUND');

interface DetailView<View> extends Type<View> {
  from(logged: DeliveryDetail): View;
}

/** The routes of both APIs, for applications and for operators. Operators see the payload with session ids masked. */
function deliveryRoutes<View>(detail: DetailView<View>, { read, manage }: { read: Access; manage: Access }) {
  @Injectable()
  abstract class DeliveryRoutes {
    constructor(private readonly log: DeliveryLogService) {}

    @Route.get('', read, {
      summary: 'List deliveries, the newest first',
      description: 'A delivery is one event at one endpoint, with all its attempts.',
      page: [DeliveryView, 'One page of deliveries.'],
    })
    async listWebhookDeliveries(@CurrentActor() ctx: ActorContext, @Query() query: DeliveryQuery) {
      const filter = toDeliveryFilter(query);
      return listById(query, DeliveryView, (before, limit) =>
        this.log.page(endpointScopeOf(ctx), filter, before, limit),
      );
    }

    @Route.get(':id', read, {
      params: [DELIVERY_ID],
      summary: 'Read a delivery with its attempts',
      description:
        'The payload, and of each attempt the time, the status or error and the beginning of your answer, kept for thirty days.',
      data: [detail, 'The delivery with its attempts.'],
      errors: ['DELIVERY_NOT_FOUND'],
    })
    async getWebhookDelivery(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
      return envelope(detail.from(await this.log.get(endpointScopeOf(ctx), deliveryId(id))));
    }

    @Route.post(':id/retry', manage, {
      params: [DELIVERY_ID],
      summary: 'Send an event once more, with the same id and bytes',
      description: 'Your receiver knows it by `webhook-id` as one that it may have.',
      body: EMPTY_BODY,
      data: [DeliveryView, 'The delivery, which is tried again.'],
      status: 202,
      errors: ['DELIVERY_NOT_FOUND', 'STATE_CONFLICT'],
    })
    async retryWebhookDelivery(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
      return envelope(DeliveryView.of(await this.log.retry(endpointScopeOf(ctx), deliveryId(id), ctx)));
    }
  }
  return DeliveryRoutes;
}

const manage = forClient('webhooks:manage');

@ApiTags('Webhook endpoints')
@Controller('webhook-deliveries')
export class ClientDeliveriesController extends deliveryRoutes(DeliveryDetailView, {
  read: manage,
  manage,
}) {}

@ApiTags('Webhook deliveries')
@Controller('operator/webhook-deliveries')
export class OperatorDeliveriesController extends deliveryRoutes(OperatorDeliveryDetailView, {
  read: forOperator('webhooks:read'),
  manage: forOperator('webhooks:manage'),
}) {}
