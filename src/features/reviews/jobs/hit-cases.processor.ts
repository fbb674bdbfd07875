import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../../platform/queue/index.js';
import { HitCases } from '../hit-cases.service.js';

@Processor('reviews.hits')
export class HitCasesProcessor implements DurableProcessor {
  constructor(private readonly cases: HitCases) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.cases.open(job.data.refs);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.cases.waiting(tx, which);
  }
}
