import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { HitCasesService } from '../hit-cases.service.js';

@Processor('reviews.hits')
export class HitCasesProcessor implements DurableProcessor {
  constructor(private readonly cases: HitCasesService) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.cases.openCases(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.cases.findWaiting(tx, which);
  }
}
