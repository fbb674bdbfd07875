import { Body, Controller, HttpStatus, Res } from '@nestjs/common';
import { ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  AcceptsBody,
  compiledBody,
  CurrentClient,
  CurrentRequest,
  envelope,
  forClient,
  RateLimiter,
  Route,
  spendTokens,
  type ClientPrincipal,
} from '../../../../platform/http/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';
import { CustomerEventBody } from '../../contract/customer-event.dto.js';
import { EventIngestService, type AcceptedEvent } from '../../events/event-ingest.service.js';
import { batchItemsOf, MAX_BATCH_ITEMS, type RefusedItem } from '../../ingest/batches/batch-items.js';
import { ApiIngestHeaders } from '../ingest/api-receipts.js';
import { BATCH_BODY } from '../ingest/batch-body.js';
import {
  EventBatchView,
  eventReceiptData,
  EventReceiptView,
  type EventBatchItemView,
} from './event.view.dto.js';

@ApiTags('KYT')
@Controller('kyt/events')
export class EventsController {
  constructor(
    private readonly ingest: EventIngestService,
    private readonly limiter: RateLimiter,
  ) {}

  @Route.post('', forClient('kyt:ingest'), {
    summary: 'Submit an event of a customer that moves no money',
    description:
      'A login, an enrolled device, a changed password and the like, for the windows of rules. Answers after the commit. ' +
      'Sending the same eventId with the same content again is safe. An event counts for the transactions that are ' +
      'submitted after it: send it before them, with the same application.',
    body: { type: CustomerEventBody },
    status: 202,
    errors: ['EVENT_ID_CONFLICT', 'OVERLOADED'],
  })
  @ApiIngestHeaders()
  @ApiResponse({ status: HttpStatus.ACCEPTED, type: EventReceiptView, description: 'Stored.' })
  @ApiResponse({
    status: HttpStatus.OK,
    type: EventReceiptView,
    description: 'The same event was stored before: `duplicate` is true.',
  })
  async ingestEvent(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body(compiledBody(CustomerEventBody)) body: CustomerEventBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { status, receipt } = await this.ingest.accept({ client, context }, body);
    response.status(status);
    return envelope(eventReceiptData(receipt));
  }

  @Route.post('batch', forClient('kyt:ingest'), {
    summary: 'Submit up to 1,000 events',
    description:
      'A JSON array, or NDJSON with one event per line. Each item is accepted or refused alone, with the status and the ' +
      'envelope that it would have got alone, in the order of the request. Costs one token of the rate limit per item.',
    body: {
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_BATCH_ITEMS,
        items: { $ref: getSchemaPath(CustomerEventBody) },
      },
    },
    status: 207,
  })
  @AcceptsBody(BATCH_BODY)
  @ApiIngestHeaders()
  @ApiResponse({
    status: HttpStatus.MULTI_STATUS,
    type: EventBatchView,
    description: 'One result per item, in order.',
  })
  async ingestEventBatch(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const items = batchItemsOf(body);
    // The guard has spent one token already.
    await spendTokens(this.limiter, response, client, items.length, 1);
    return envelope(batchData(await this.ingest.acceptAll({ client, context }, items)));
  }
}

function batchData(results: readonly (AcceptedEvent | RefusedItem)[]): EventBatchView['data'] {
  const accepted = results.flatMap((result) => ('receipt' in result ? [result.receipt] : []));
  const duplicates = accepted.filter(({ duplicate }) => duplicate).length;
  return {
    summary: {
      accepted: accepted.length - duplicates,
      duplicates,
      failed: results.length - accepted.length,
    },
    results: results.map((result, index): EventBatchItemView => {
      const { status } = result;
      return 'receipt' in result
        ? { index, status, data: eventReceiptData(result.receipt), error: null }
        : { index, status, data: null, error: result.error };
    }),
  };
}
