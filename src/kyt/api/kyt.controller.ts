import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import {
  AcceptsBody,
  ApiErrors,
  compiledBody,
  CurrentClient,
  CurrentRequest,
  DEFAULT_BODY_RULES,
  envelope,
  ForClient,
  RateLimiter,
  spendTokens,
  type ClientPrincipal,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { ReviewQueries } from '../../reviews/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { BatchIngestService, MAX_BATCH_ITEMS, type BatchResult } from '../batch-ingest.service.js';
import { IngestService } from '../ingest.service.js';
import { IntakeReader } from '../intake-reader.js';
import { TransactionQueries } from '../store/transaction.queries.js';
import { ApiIngestHeaders, ApiReceipts } from './api-receipts.js';
import { BatchView, type BatchItemView } from './batch.view.dto.js';
import { IngestTransactionBody } from './ingest-transaction.dto.js';
import { receiptData, type ReceiptView } from './receipt.view.dto.js';
import { transactionData, TransactionView } from './transaction.view.dto.js';

const { limits } = DEFAULT_BODY_RULES;
/** A batch is one array of submissions: one level deeper, and as many keys as its items may have together. */
const BATCH_BODY = {
  maxBytes: 8 * 1_024 * 1_024,
  limits: { ...limits, maxDepth: limits.maxDepth + 1, maxKeys: MAX_BATCH_ITEMS * limits.maxKeys },
  ndjson: true,
};

@ApiTags('KYT')
@Controller('kyt/transactions')
export class KytController {
  constructor(
    private readonly reader: IntakeReader,
    private readonly ingest: IngestService,
    private readonly batches: BatchIngestService,
    private readonly transactions: TransactionQueries,
    private readonly reviews: ReviewQueries,
    private readonly limiter: RateLimiter,
  ) {}

  @Post('ingest')
  @ForClient('kyt:ingest')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'ingestTransaction',
    summary: 'Submit a transaction for monitoring',
    description:
      'Answers after the commit; processing is asynchronous. Sending the same transactionId with the same content again is safe.',
  })
  @ApiIngestHeaders()
  @ApiBody({ type: IngestTransactionBody })
  @ApiReceipts()
  @ApiErrors('TRANSACTION_ID_CONFLICT', 'OVERLOADED')
  async accept(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body(compiledBody(IngestTransactionBody)) body: IngestTransactionBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReceiptView> {
    const receipt = await this.ingest.accept(this.reader.ingest({ client, context }, body));
    if (receipt.duplicate) response.status(HttpStatus.OK);
    return envelope(receiptData(receipt));
  }

  @Post('ingest/batch')
  @ForClient('kyt:ingest')
  @HttpCode(HttpStatus.MULTI_STATUS)
  @AcceptsBody(BATCH_BODY)
  @ApiOperation({
    operationId: 'ingestTransactionBatch',
    summary: 'Submit up to 1,000 transactions',
    description:
      'A JSON array, or NDJSON with one submission per line. Each item is accepted or refused alone, with the status ' +
      'and the envelope that it would have got alone, in the order of the request. Costs one token of the rate limit per item.',
  })
  @ApiIngestHeaders()
  @ApiBody({
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_BATCH_ITEMS,
      items: { $ref: getSchemaPath(IngestTransactionBody) },
    },
  })
  @ApiResponse({
    status: HttpStatus.MULTI_STATUS,
    type: BatchView,
    description: 'One result per item, in order.',
  })
  async acceptBatch(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchView> {
    const items = this.batches.itemsOf(body);
    // The guard has spent the first token; a batch larger than the burst needs a bucket that was full before it.
    await spendTokens(this.limiter, response, client, items.length, 1);
    const results = await this.batches.acceptAll({ client, context }, items);
    return envelope(batchData(results));
  }

  @Get(':transactionId')
  @ForClient('kyt:read')
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'Read a transaction of this application',
    description:
      'Status, outcome, score, composition and reasons. Transactions of other applications do not exist here.',
  })
  @ApiParam({ name: 'transactionId', example: 'pix-2026-000001' })
  @ApiOkResponse({ type: TransactionView })
  @ApiErrors('TRANSACTION_NOT_FOUND')
  async read(
    @CurrentClient() client: ClientPrincipal,
    @Param('transactionId') transactionId: string,
  ): Promise<TransactionView> {
    const record = await this.transactions.findOwn(client, transactionId);
    if (!record) throw new DomainError('TRANSACTION_NOT_FOUND');
    const reviews = record.evaluation
      ? await this.reviews.newestAbout(client.organisationId, [record.id])
      : new Map<string, string>();
    return envelope(transactionData(record, reviews.get(record.id) ?? null));
  }
}

function batchData(results: readonly BatchResult[]): BatchView['data'] {
  const items = results.map((result, index): BatchItemView =>
    'receipt' in result
      ? { index, status: result.status, data: receiptData(result.receipt), error: null }
      : { index, status: result.status, data: null, error: result.error },
  );
  const count = (matches: (item: BatchItemView) => boolean): number => items.filter(matches).length;
  return {
    summary: {
      accepted: count((item) => item.status === 202),
      duplicates: count((item) => item.status === 200),
      failed: count((item) => item.error !== null),
    },
    results: items,
  };
}
