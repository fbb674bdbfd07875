import { Injectable } from '@nestjs/common';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';
import {
  DEFAULT_BODY_RULES,
  errorView,
  NdjsonBody,
  parseLimitedJson,
  toDomainError,
  payloadTooLarge,
  type ErrorView,
} from '../../../platform/http/index.js';
import { errorCodes, invalid, type DomainError } from '../../../platform/kernel/index.js';
import type { ReadBackTransaction } from '../domain/reading/read-back.js';
import { DecisionWaitService } from './decision-wait.service.js';
import { IngestService, type Receipt } from './ingest.service.js';
import { IntakeReaderService } from './intake-reader.service.js';
import type { Intake } from './transaction-preparer.js';

export const MAX_BATCH_ITEMS = 1_000;

/** The result of one item: the same answer as for a single submission. */
export type BatchResult =
  | {
      readonly status: 200 | 202;
      readonly receipt: Receipt;
      /** The evaluated transaction, if the caller waited and the decision was made in time. */
      readonly decision: ReadBackTransaction | null;
    }
  | { readonly status: number; readonly error: ErrorView };

type Caller = Pick<Intake, 'client' | 'context'>;

/** Accepts many submissions in one call. Each is accepted or refused alone: a bad item does not affect the others. */
@Injectable()
export class BatchIngestService {
  constructor(
    private readonly reader: IntakeReaderService,
    private readonly ingest: IngestService,
    private readonly decisionWait: DecisionWaitService,
    private readonly settings: Settings,
  ) {}

  /** Returns the items of a body: a JSON array, or one JSON value per line. */
  itemsOf(body: unknown): readonly unknown[] {
    const items: unknown = body instanceof NdjsonBody ? body.lines : body;
    if (!Array.isArray(items)) throw invalidBody('TYPE_INVALID', 'The body must be a JSON array or NDJSON.');
    if (items.length === 0) throw invalidBody('TOO_FEW_ITEMS', 'The batch is empty.');
    if (items.length > MAX_BATCH_ITEMS) {
      throw invalidBody('TOO_MANY_ITEMS', `A batch holds at most ${MAX_BATCH_ITEMS} items.`);
    }
    return items;
  }

  /** Returns one result per item, in order. The caller may wait for all decisions together, until `over` aborts. */
  acceptAll(caller: Caller, items: readonly unknown[], over: AbortSignal | null): Promise<BatchResult[]> {
    return Promise.all(items.map((item) => this.accept(caller, item, over)));
  }

  private async accept(caller: Caller, item: unknown, over: AbortSignal | null): Promise<BatchResult> {
    try {
      const receipt = await this.ingest.accept(
        this.reader.readBatchItem(caller, parseItem(item)),
        over !== null,
      );
      const decision = over && (await this.decisionWait.waitForDecision(caller.client, receipt, over));
      return { status: receipt.duplicate || decision ? 200 : 202, receipt, decision };
    } catch (thrown) {
      const error = toDomainError(thrown);
      // An internal error fails the whole request, so that the caller sends all items again.
      if (error.code === 'INTERNAL_ERROR') throw thrown;
      return {
        status: errorCodes[error.code].status,
        error: errorView(error, caller.context, baseUrlOf(this.settings)),
      };
    }
  }
}

/** Parses a line of NDJSON under the limits of a single submission; an error refuses only this item. */
function parseItem(item: unknown): unknown {
  if (!Buffer.isBuffer(item)) return item;
  if (item.length > DEFAULT_BODY_RULES.maxBytes) throw payloadTooLarge(DEFAULT_BODY_RULES.maxBytes);
  return parseLimitedJson(item, DEFAULT_BODY_RULES.limits);
}

const invalidBody = (code: string, message: string): DomainError => invalid('', code, message);
