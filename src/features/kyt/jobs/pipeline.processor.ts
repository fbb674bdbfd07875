import { Process, Processor } from '@nestjs/bull';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Job } from 'bull';
import { In } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { describeFailure, WorkLoop } from '../../../platform/kernel/index.js';
import {
  queues,
  type DurableProcessor,
  type JobPayload,
  type UnfinishedScope,
} from '../../../platform/queue/index.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { KytWorkEntity } from '../store/entities.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

// One batch uses the processor while the other waits for the database; a third would only wait for the processor.
const CONCURRENCY = 2;

// Maximum number of transactions that one run of the reconciler queues again; the next run follows in seconds.
const MAX_OVERDUE = 5_000;

// While jobs take every place for longer than this, the process looks for transactions of other organisations. A look
// reads all waiting transactions, so the pause after a look is a multiple of its duration.
const LOOK_MS = 250;
const MAX_LOOK_MS = 5_000;
const PAUSE_PER_LOOK = 200;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Evaluates the transactions of jobs. The queue knows no organisations, so that the jobs of an organisation with many
 * transactions hold up the jobs of others. Beside the `CONCURRENCY` batches of jobs, one further batch evaluates
 * transactions of other organisations.
 */
@Processor('kyt.pipeline')
export class PipelineProcessor implements DurableProcessor, BeforeApplicationShutdown {
  private readonly logger = new Logger(PipelineProcessor.name);
  private readonly lookLoop = new WorkLoop(() => this.lookForOthers());
  private active = 0;
  private hasStartedLooking = false;
  private wasFull = false;

  constructor(
    private readonly pipeline: PipelineService,
    private readonly work: TransactionWorkRepository,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.lookLoop.stop();
  }

  @Process({ concurrency: CONCURRENCY })
  async run(job: Job<JobPayload>): Promise<void> {
    if (!this.hasStartedLooking) this.lookLoop.start(LOOK_MS);
    this.hasStartedLooking = true;
    this.active += 1;
    try {
      await this.pipeline.processTransactions(job.data.refs);
    } finally {
      this.active -= 1;
    }
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.work.requeueUnfinished(
      tx,
      which,
      which === 'overdue' ? MAX_OVERDUE : Number.MAX_SAFE_INTEGER,
    );
  }

  hasPlanned(tx: Tx): Promise<boolean> {
    return tx.existsBy(KytWorkEntity, { status: In(['QUEUED', 'PROCESSING']) });
  }

  /**
   * Evaluates a batch of other organisations if jobs took every place twice in a row. Returns the milliseconds until
   * the next look.
   */
  private async lookForOthers(): Promise<number> {
    const isFull = this.active >= CONCURRENCY;
    const isDue = isFull && this.wasFull;
    this.wasFull = isFull;
    if (!isDue) return LOOK_MS;
    const since = performance.now();
    try {
      const foundCount = await this.pipeline.processOthers(queues['kyt.pipeline'].batchSize);
      if (foundCount > 0) return LOOK_MS;
    } catch (error) {
      this.logger.warn(`others were not looked for: ${describeFailure(error)}`);
      return PAUSE_AFTER_FAILURE_MS;
    }
    return Math.min(MAX_LOOK_MS, Math.max(LOOK_MS, PAUSE_PER_LOOK * (performance.now() - since)));
  }
}
