import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { compileValidator, envelope, type ClientPrincipal } from '../../../../platform/http/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';
import { CustomerEventBody } from '../../contract/customer-event.dto.js';
import { IngestTransactionBody } from '../../contract/ingest-transaction.dto.js';
import { EventIngestService } from '../../events/event-ingest.service.js';
import { DecisionWaitService } from '../../ingest/decision-wait.service.js';
import { IngestService } from '../../ingest/ingest.service.js';
import { IntakeReaderService } from '../../ingest/intake-reader.service.js';
import { eventReceiptData } from '../events/event.view.dto.js';
import { receiptData } from './receipt.view.dto.js';
import { createWaitSignal, parsePlainWait } from './wait-preference.js';

export const TRANSACTION_LANE_PATH = '/kyt/transactions/ingest';
export const EVENT_LANE_PATH = '/kyt/events';

interface LaneCaller {
  readonly client: ClientPrincipal;
  readonly context: RequestContext;
}

interface LaneAnswer {
  readonly status: number;
  readonly body: object;
}

/** One path of the lane; `accept` gets a body that `validate` found valid. */
export interface LaneRoute {
  readonly path: string;
  readonly validate: ReturnType<typeof compileValidator>;
  /** True if the URL has no query; else the milliseconds to wait; null if the controller has to read the URL. */
  readonly readWait: (url: string | undefined) => number | undefined | null;
  readonly accept: (
    caller: LaneCaller,
    body: unknown,
    waitMs: number | undefined,
    response: ServerResponse,
  ) => Promise<LaneAnswer>;
}

/** The paths that the ingest lane answers. */
@Injectable()
export class LaneRoutesService {
  private readonly transactions: LaneRoute = {
    path: TRANSACTION_LANE_PATH,
    validate: compileValidator(IngestTransactionBody),
    readWait: (url) =>
      url === TRANSACTION_LANE_PATH ? undefined : parsePlainWait(url, TRANSACTION_LANE_PATH),
    accept: async (caller, body, waitMs, response) => {
      const waitSignal = createWaitSignal(waitMs, undefined, response);
      const intake = this.reader.readSubmission(caller, body as IngestTransactionBody);
      const receipt = await this.ingest.accept(intake, waitSignal !== null);
      const decision =
        waitSignal && (await this.decisionWait.waitForDecision(caller.client, receipt, waitSignal));
      return {
        status: receipt.duplicate || decision ? 200 : 202,
        body: envelope(decision ?? receiptData(receipt)),
      };
    },
  };
  private readonly events: LaneRoute = {
    path: EVENT_LANE_PATH,
    validate: compileValidator(CustomerEventBody),
    readWait: (url) => (url === EVENT_LANE_PATH ? undefined : null),
    accept: async (caller, body) => {
      const { status, receipt } = await this.eventIngest.accept(caller, body as CustomerEventBody);
      return { status, body: envelope(eventReceiptData(receipt)) };
    },
  };

  constructor(
    private readonly reader: IntakeReaderService,
    private readonly ingest: IngestService,
    private readonly decisionWait: DecisionWaitService,
    private readonly eventIngest: EventIngestService,
  ) {}

  /** Returns the route of a URL; null if the lane has none. */
  find(url: string | undefined): LaneRoute | null {
    if (url?.startsWith(TRANSACTION_LANE_PATH)) return this.transactions;
    return url === EVENT_LANE_PATH ? this.events : null;
  }
}
