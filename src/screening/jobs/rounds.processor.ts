import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../queue/index.js';
import { Rounds } from '../hits/rounds.service.js';
import { RoundRepository } from '../store/round.repository.js';

@Processor('screening.rounds')
export class RoundsProcessor implements DurableProcessor {
  constructor(
    private readonly rounds: Rounds,
    private readonly repository: RoundRepository,
  ) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const ref of job.data.refs) await this.rounds.advance(ref);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.repository.unfinished(tx, which);
  }
}
