import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  CurrentRequest,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { byOperator, ofOperator } from './calls.js';
import { DeliveryQuery, DeliveryView, OperatorDeliveryDetailView } from './delivery.dto.js';
import { NOTHING_TO_SAY } from './params.js';
import { WebhookAnswers } from './webhook-answers.js';

const BODY = ['VALIDATION_FAILED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const;

@ApiTags('Webhook deliveries')
@Controller('operator/webhook-deliveries')
export class OperatorDeliveriesController {
  constructor(private readonly answers: WebhookAnswers) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiErrors('CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: DeliveryQuery,
  ): Promise<Page<DeliveryView>> {
    return this.answers.deliveries(ofOperator(operator), query);
  }

  @Get(':id')
  @ForOperator('webhooks:read')
  @ApiErrors('DELIVERY_NOT_FOUND')
  @ApiOperation({ operationId: 'getWebhookDelivery', summary: 'Read a delivery with its attempts' })
  @ApiData(OperatorDeliveryDetailView)
  async delivery(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<OperatorDeliveryDetailView>> {
    return envelope(OperatorDeliveryDetailView.from(await this.answers.delivery(ofOperator(operator), id)));
  }

  @Post(':id/retry')
  @ForOperator('webhooks:manage')
  @ApiErrors('DELIVERY_NOT_FOUND', 'STATE_CONFLICT', ...BODY)
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'retryWebhookDelivery',
    summary: 'Send an event once more, with the same id and bytes',
  })
  @ApiBody(NOTHING_TO_SAY)
  @ApiData(DeliveryView, { status: HttpStatus.ACCEPTED })
  async retry(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Param('id') id: string,
  ): Promise<Success<DeliveryView>> {
    return this.answers.retry(byOperator(operator, request), id);
  }
}
