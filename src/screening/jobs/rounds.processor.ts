import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { Rounds } from '../rounds.service.js';

@Processor('screening.rounds')
export class RoundsProcessor {
  constructor(private readonly rounds: Rounds) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const ref of job.data.refs) await this.rounds.advance(ref);
  }
}
