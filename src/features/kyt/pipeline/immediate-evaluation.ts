import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { Batcher, EventLoopUtilisation } from '../../../platform/kernel/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { PendingDecisions, type PromptEvaluator } from '../ingest/pending-decisions.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import { SearchIndexService } from '../../screening/index.js';
import { PipelineService } from './pipeline.service.js';

// Maximum number of batches at a time: transactions that arrive during a batch share the next batch.
const MAX_IN_FLIGHT = 1;
const MAX_ITEMS = 250;
// With more transactions under way a worker of the queue, perhaps on another host, is faster.
const MAX_PENDING_TRANSACTIONS = 3 * MAX_ITEMS;
// With this many transactions under way, the process leaves transactions that no caller waits for to the queue: so many
// show full load, at which the small batches here cost twice as much as those of a queue worker.
const MAX_BUSY_BATCH = 8;
// A process that is busy nearly all of the time should only accept submissions.
const MAX_BUSY_SHARE = 0.8;

/**
 * Evaluates transactions in the process that accepted them, while it has room. The commit that stores such a
 * transaction also claims it, without a job. If the process dies, the lease expires and the reconciler queues the
 * transaction.
 */
@Injectable()
export class ImmediateEvaluation implements PromptEvaluator, BeforeApplicationShutdown {
  private readonly logger = new Logger(ImmediateEvaluation.name);
  private readonly underWay = new Set<Promise<void>>();
  private readonly batcher = new Batcher<DecryptedTransaction, DecryptedTransaction>(
    (held) => this.evaluateOrRelease(held),
    {
      maxInFlight: MAX_IN_FLIGHT,
      maxItems: MAX_ITEMS,
    },
  );
  private readonly loopUtilisation = new EventLoopUtilisation();
  private stopping = false;

  constructor(
    private readonly pipeline: PipelineService,
    private readonly settings: Settings,
    private readonly searchIndex: SearchIndexService,
    pendingDecisions: PendingDecisions,
  ) {
    pendingDecisions.useEvaluator(this);
  }

  leaseFor(isWaitedFor: boolean, underWay: number): EvaluationLease | null {
    // Without the lists in memory this process cannot screen.
    if (this.stopping || !this.searchIndex.isLoaded) return null;
    // Only the running batch renews its leases. If it takes long, the leases of the transactions that wait behind it
    // expire.
    if (this.batcher.waitedMs > this.pipeline.lease.ms / 4) return null;
    const hasRoom = isWaitedFor
      ? underWay < MAX_PENDING_TRANSACTIONS
      : underWay + this.pipeline.fromQueue < MAX_BUSY_BATCH && this.isIdle;
    return hasRoom ? this.pipeline.lease : null;
  }

  /** True if this process has time to evaluate transactions that no caller waits for. */
  private get isIdle(): boolean {
    return this.settings.evaluateOnArrival && this.loopUtilisation.now < MAX_BUSY_SHARE;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay);
  }

  start(held: DecryptedTransaction): Promise<void> {
    const takenWork = this.evaluateSafely(held).finally(() => this.underWay.delete(takenWork));
    this.underWay.add(takenWork);
    return takenWork;
  }

  /**
   * Evaluates a transaction and never rejects: callers poll for the decision, and an error must not end the process.
   */
  private async evaluateSafely(held: DecryptedTransaction): Promise<void> {
    try {
      await this.batcher.submit(held);
    } catch (error) {
      this.logger.warn(
        `an evaluation is not over in time: ${error instanceof Error ? error.message : 'unknown error'}`,
      );
    }
  }

  private async evaluateOrRelease(
    held: readonly DecryptedTransaction[],
  ): Promise<readonly DecryptedTransaction[]> {
    try {
      if (this.stopping) await this.pipeline.releaseUnstarted(held);
      else await this.pipeline.processHeld(held);
    } catch (error) {
      this.logger.warn(
        `${held.length} left to the reconciler: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
    return held;
  }
}
