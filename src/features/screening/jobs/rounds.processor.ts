import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { Raw } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { ScreeningRoundsService } from '../hits/screening-rounds.service.js';
import { ScreeningRoundEntity } from '../store/entities.js';

@Processor('screening.rounds')
export class RoundsProcessor implements DurableProcessor {
  constructor(private readonly rounds: ScreeningRoundsService) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const ref of job.data.refs) await this.rounds.continueRound(ref);
  }

  /** Finds rounds that no worker holds, or all unfinished ones. */
  async findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    const overdue = { leaseUntil: Raw((until) => `${until} < now() - interval '2 seconds'`) };
    const rows = await tx.find(ScreeningRoundEntity, {
      select: { id: true },
      where: { status: 'RUNNING', ...(which === 'all' ? {} : overdue) },
      order: { id: 'ASC' },
      take: 1_000,
    });
    return rows.map(({ id }) => id);
  }
}
