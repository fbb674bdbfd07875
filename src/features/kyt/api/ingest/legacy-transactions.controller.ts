import { Body, Controller, Headers, HttpStatus, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import {
  compiledBody,
  CurrentClient,
  CurrentRequest,
  envelope,
  forClient,
  Route,
  type ClientPrincipal,
} from '../../../../platform/http/index.js';
import { invalid } from '../../../../platform/kernel/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';
import { IngestService } from '../../ingest/ingest.service.js';
import { IntakeReaderService } from '../../ingest/intake-reader.service.js';
import { ApiIngestHeaders, ApiReceipts } from './api-receipts.js';
import { LegacyTransactionBody } from '../../contract/legacy-transaction.dto.js';
import { receiptData } from './receipt.view.dto.js';

/** RFC 9745: deprecated since the first release; there is no Sunset, because no end is planned. */
const DEPRECATED_SINCE = `@${Date.UTC(2026, 10, 1) / 1_000}`;
const SUCCESSOR = '</kyt/transactions/ingest>; rel="successor-version"';
const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:-]{1,128}$/;

/** Middleware: adds the deprecation headers to every answer of the legacy route, errors included. */
export function announceSuccessor(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Deprecation', DEPRECATED_SINCE);
  response.setHeader('Link', SUCCESSOR);
  next();
}

@ApiTags('KYT')
@Controller('transactions')
export class LegacyTransactionsController {
  constructor(
    private readonly reader: IntakeReaderService,
    private readonly ingest: IngestService,
  ) {}

  @Route.post('', forClient('transactions:write'), {
    summary: 'Submit a transaction (legacy)',
    description: 'Kept for backward compatibility; new integrations use POST /kyt/transactions/ingest.',
    deprecated: true,
    body: { type: LegacyTransactionBody },
    status: 202,
    errors: ['TRANSACTION_ID_CONFLICT', 'OVERLOADED'],
  })
  @ApiIngestHeaders()
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Takes the place of transactionId when the body has none; one of the two is needed.',
  })
  @ApiReceipts()
  async submitLegacyTransaction(
    @CurrentClient() client: ClientPrincipal,
    @CurrentRequest() context: RequestContext,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Body(compiledBody(LegacyTransactionBody)) body: LegacyTransactionBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const receipt = await this.ingest.accept(
      this.reader.readLegacySubmission({ client, context }, body, requireValidKey(idempotencyKey)),
    );
    if (receipt.duplicate) response.status(HttpStatus.OK);
    return envelope(receiptData(receipt));
  }
}

/** Returns the Idempotency-Key, which becomes the transactionId and must have its form. */
function requireValidKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw invalid('Idempotency-Key', 'PATTERN_MISMATCH', 'Must be 1 to 128 characters of A-Z a-z 0-9 . _ : -.');
}
