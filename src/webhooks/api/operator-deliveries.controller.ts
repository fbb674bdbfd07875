import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  envelope,
  ForOperator,
  type Page,
  type Success,
} from '../../http/index.js';
import { DeliveryQuery, DeliveryView, OperatorDeliveryDetailView } from './delivery.dto.js';
import { NOTHING_TO_SAY } from './params.js';
import { WebhookAnswers } from './webhook-answers.js';

@ApiTags('Webhook deliveries')
@Controller('operator/webhook-deliveries')
export class OperatorDeliveriesController {
  constructor(private readonly answers: WebhookAnswers) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(@Acting() acting: Acting, @Query() query: DeliveryQuery): Promise<Page<DeliveryView>> {
    return this.answers.deliveries(acting, query);
  }

  @Get(':id')
  @ForOperator('webhooks:read')
  @ApiErrors('DELIVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its attempts' })
  @ApiData(OperatorDeliveryDetailView)
  async delivery(
    @Acting() acting: Acting,
    @Param('id') id: string,
  ): Promise<Success<OperatorDeliveryDetailView>> {
    return envelope(OperatorDeliveryDetailView.from(await this.answers.delivery(acting, id)));
  }

  @Post(':id/retry')
  @ForOperator('webhooks:manage')
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
