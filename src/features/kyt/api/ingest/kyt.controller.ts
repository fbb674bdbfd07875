import { Body, Controller, Headers, HttpStatus, Param, Query, Res } from '@nestjs/common';
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
import { orThrow } from '../../../../platform/kernel/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';
import { BatchIngestService, type BatchResult } from '../../ingest/batch-ingest.service.js';
import { batchItemsOf, MAX_BATCH_ITEMS } from '../../ingest/batches/batch-items.js';
import { DecisionWaitService } from '../../ingest/decision-wait.service.js';
import { IngestService } from '../../ingest/ingest.service.js';
import { IntakeReaderService } from '../../ingest/intake-reader.service.js';
import { TransactionReadService } from '../../operations/transaction-read.service.js';
import { ApiIngestHeaders, ApiPreferWait, ApiReceiptOrDecision } from './api-receipts.js';
import { BATCH_BODY } from './batch-body.js';
import { BatchView, type BatchItemView } from './batch.view.dto.js';
import { IngestTransactionBody } from '../../contract/ingest-transaction.dto.js';
import { receiptData } from './receipt.view.dto.js';
import { createWaitSignal, WaitQuery } from './wait-preference.js';
import { TransactionView } from '../transaction.view.dto.js';
import { TransactionEventsView } from '../../../webhooks/index.js';

@ApiTags('KYT')
@Controller('kyt/transactions')
export class KytController {
  constructor(
    private readonly reader: IntakeReaderService,
    private readonly ingest: IngestService,
    private readonly batchIngest: BatchIngestService,
    private readonly decisionWait: DecisionWaitService,
    private readonly readBack: TransactionReadService,
    private readonly limiter: RateLimiter,
  ) {}

  @Route.post('ingest', forClient('kyt:ingest'), {
    summary: 'Submit a transaction for monitoring',
    description:
      'Answers after the commit; processing is asynchronous. Sending the same transactionId with the same content again is safe. ' +
      'With `wait`, or `Prefer: wait=SECONDS`, the answer waits for the decision: 200 with what reading the transaction ' +
      'answers, or the receipt when there is none in time.',
    body: { type: IngestTransactionBody },
    status: 202,
    errors: ['TRANSACTION_ID_CONFLICT', 'OVERLOADED', 'CUSTOM_FIELDS_ALTERED'],
  })
  @ApiIngestHeaders()
  @ApiPreferWait()
  @ApiReceiptOrDecision()
  async ingestTransaction(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Query() { wait }: WaitQuery,
    @Headers('prefer') prefer: string | undefined,
    @Body(compiledBody(IngestTransactionBody)) body: IngestTransactionBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const waitSignal = createWaitSignal(wait, prefer, response);
    const receipt = await this.ingest.accept(
      this.reader.readSubmission({ client, context }, body),
      waitSignal !== null,
    );
    const decision = waitSignal && (await this.decisionWait.waitForDecision(client, receipt, waitSignal));
    if (receipt.duplicate || decision) response.status(HttpStatus.OK);
    return envelope(decision ?? receiptData(receipt));
  }

  @Route.post('ingest/batch', forClient('kyt:ingest'), {
    summary: 'Submit up to 1,000 transactions',
    description:
      'A JSON array, or NDJSON with one submission per line. Each item is accepted or refused alone, with the status ' +
      'and the envelope that it would have got alone, in the order of the request. Costs one token of the rate limit per item. With ' +
      '`wait` all decisions are waited for together; an item that is decided in time has status 200 and reads as the transaction does.',
    body: {
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_BATCH_ITEMS,
        items: { $ref: getSchemaPath(IngestTransactionBody) },
      },
    },
    status: 207,
  })
  @AcceptsBody(BATCH_BODY)
  @ApiIngestHeaders()
  @ApiPreferWait()
  @ApiResponse({
    status: HttpStatus.MULTI_STATUS,
    type: BatchView,
    description: 'One result per item, in order.',
  })
  async ingestTransactionBatch(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Query() { wait }: WaitQuery,
    @Headers('prefer') prefer: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const items = batchItemsOf(body);
    // The guard has spent one token already. A batch larger than the burst is accepted only if the bucket was full
    // before.
    await spendTokens(this.limiter, response, client, items.length, 1);
    const waitSignal = createWaitSignal(wait, prefer, response);
    const results = await this.batchIngest.acceptAll({ client, context }, items, waitSignal);
    return envelope(batchData(results));
  }

  @Route.get(':transactionId', forClient('kyt:read'), {
    summary: 'Read a transaction of this application',
    description:
      '`verdict` says what to do, `nextAction` what the customer has to; status, outcome, score, composition and reasons say why. Transactions of other applications do not exist here.',
    params: [
      {
        name: 'transactionId',
        description: 'The id of the transaction in your own system.',
        example: 'pix-2026-000001',
      },
    ],
    view: [TransactionView, 'The transaction.'],
    errors: ['TRANSACTION_NOT_FOUND'],
  })
  async getTransaction(
    @CurrentClient() client: ClientPrincipal,
    @Param('transactionId') transactionId: string,
  ) {
    const readBackTransaction = orThrow(
      await this.readBack.find(client, transactionId),
      'TRANSACTION_NOT_FOUND',
    );
    return envelope(readBackTransaction);
  }

  @Route.get(':transactionId/events', forClient('events:read'), {
    summary: 'Read the events of a transaction, in their order',
    description: 'The bodies that webhooks carry. Empty when the person it is about was erased.',
    params: [
      {
        name: 'transactionId',
        description: 'The id of the transaction in your own system.',
        example: 'pix-2026-000001',
      },
    ],
    view: [TransactionEventsView, 'The events of the transaction.'],
    errors: ['TRANSACTION_NOT_FOUND'],
  })
  async getTransactionEvents(
    @CurrentClient() client: ClientPrincipal,
    @Param('transactionId') transactionId: string,
  ) {
    const envelopes = orThrow(await this.readBack.listEvents(client, transactionId), 'TRANSACTION_NOT_FOUND');
    return envelope(envelopes);
  }
}

function batchData(results: readonly BatchResult[]): BatchView['data'] {
  const accepted = results.flatMap((result) => ('receipt' in result ? [result.receipt] : []));
  const duplicates = accepted.filter(({ duplicate }) => duplicate).length;
  return {
    summary: {
      accepted: accepted.length - duplicates,
      duplicates,
      failed: results.length - accepted.length,
    },
    results: results.map((result, index): BatchItemView => {
      const { status } = result;
      return 'receipt' in result
        ? { index, status, data: result.decision ?? receiptData(result.receipt), error: null }
        : { index, status, data: null, error: result.error };
    }),
  };
}
