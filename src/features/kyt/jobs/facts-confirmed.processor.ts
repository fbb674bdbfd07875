import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { ConfirmedFactsService } from '../pipeline/confirmed-facts.service.js';

@Processor('kyt.facts-confirmed')
export class FactsConfirmedProcessor implements DurableProcessor {
  constructor(private readonly confirmedFacts: ConfirmedFactsService) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.confirmedFacts.reEvaluate(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.confirmedFacts.findWaiting(tx, which);
  }
}
