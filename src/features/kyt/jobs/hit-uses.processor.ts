import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { ReopenedHitTransactionsService } from '../operations/reopened-hit-transactions.service.js';

@Processor('kyt.hit-uses')
export class HitUsesProcessor implements DurableProcessor {
  constructor(private readonly reopenedHitTransactions: ReopenedHitTransactionsService) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.reopenedHitTransactions.reEvaluate(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.reopenedHitTransactions.findWaiting(tx, which);
  }
}
