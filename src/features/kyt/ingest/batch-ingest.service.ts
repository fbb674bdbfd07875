import { Injectable } from '@nestjs/common';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';
import type { ReadBackTransaction } from '../domain/reading/read-back.js';
import { acceptEach, type RefusedItem } from './batches/batch-items.js';
import { DecisionWaitService } from './decision-wait.service.js';
import { IngestService, type Receipt } from './ingest.service.js';
import { IntakeReaderService } from './intake-reader.service.js';
import type { Intake } from './transaction-preparer.js';

interface AcceptedItem {
  readonly status: 200 | 202;
  readonly receipt: Receipt;
  /** The evaluated transaction, if the caller waited and the decision was made in time. */
  readonly decision: ReadBackTransaction | null;
}

/** The result of one item: the same answer as for a single submission. */
export type BatchResult = AcceptedItem | RefusedItem;

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

  /** Returns one result per item, in order. The caller may wait for all decisions together, until `over` aborts. */
  acceptAll(caller: Caller, items: readonly unknown[], over: AbortSignal | null): Promise<BatchResult[]> {
    return acceptEach(items, caller.context, baseUrlOf(this.settings), (item) =>
      this.accept(caller, item, over),
    );
  }

  private async accept(caller: Caller, item: unknown, over: AbortSignal | null): Promise<AcceptedItem> {
    const receipt = await this.ingest.accept(this.reader.readBatchItem(caller, item), over !== null);
    const decision = over && (await this.decisionWait.waitForDecision(caller.client, receipt, over));
    return { status: receipt.duplicate || decision ? 200 : 202, receipt, decision };
  }
}
