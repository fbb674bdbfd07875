import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

// One batch uses the processor while the other waits for the database; a third would only wait for the processor.
const CONCURRENCY = 2;

// Maximum number of transactions that one run of the reconciler queues again; the next run follows in seconds.
const MAX_OVERDUE = 5_000;

@Processor('kyt.pipeline')
export class PipelineProcessor implements DurableProcessor {
  constructor(
    private readonly pipeline: PipelineService,
    private readonly work: TransactionWorkRepository,
  ) {}

  @Process({ concurrency: CONCURRENCY })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.pipeline.processTransactions(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.work.requeueUnfinished(
      tx,
      which,
      which === 'overdue' ? MAX_OVERDUE : Number.MAX_SAFE_INTEGER,
    );
  }
}
