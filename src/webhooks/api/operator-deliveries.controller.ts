import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
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
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { DeliveryLog } from '../delivery-log.service.js';
import { byOperator, deliveryFilter, ofOperator } from './calls.js';
import { DeliveryQuery, DeliveryView, OperatorDeliveryDetailView } from './delivery.dto.js';
import { idIn, NOTHING_TO_SAY } from './params.js';

const BODY = ['VALIDATION_FAILED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const;

@ApiTags('Webhook deliveries')
@Controller('operator/webhook-deliveries')
export class OperatorDeliveriesController {
  constructor(private readonly log: DeliveryLog) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiErrors('CURSOR_INVALID')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'List deliveries, the newest first' })
  @ApiPage(DeliveryView)
  async deliveries(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: DeliveryQuery,
  ): Promise<Page<DeliveryView>> {
    const before = (cursorKeys(query.cursor, 'uuid')?.[0] as string | undefined) ?? null;
    const rows = await this.log.page(ofOperator(operator), deliveryFilter(query), before, query.limit);
    return page(
      rows,
      query.limit,
      ({ id }) => [id],
      (row) => DeliveryView.of(row),
    );
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
    const found = await this.log.get(ofOperator(operator), idIn('whd', id, 'DELIVERY_NOT_FOUND'));
    return envelope(OperatorDeliveryDetailView.from(found));
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
    const delivery = idIn('whd', id, 'DELIVERY_NOT_FOUND');
    return envelope(
      DeliveryView.of(await this.log.retry(ofOperator(operator), delivery, byOperator(operator, request))),
    );
  }
}
