import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { SessionChecksService } from '../checks/session-checks.service.js';
import { SessionWorkEntity } from '../store/entities.js';
import { SessionWorkRepository } from '../store/session-work.repository.js';

// A job normally starts within milliseconds; after this time it is queued again.
const QUIET_SECONDS = 10;

@Processor('sessions.checks')
export class SessionChecksProcessor implements DurableProcessor {
  constructor(
    private readonly checks: SessionChecksService,
    private readonly work: SessionWorkRepository,
  ) {}

  @Process({ concurrency: 4 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.checks.advance(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.work.claimUnannounced(tx, which, which === 'overdue' ? QUIET_SECONDS : 0);
  }

  hasPlanned(tx: Tx): Promise<boolean> {
    return tx.existsBy(SessionWorkEntity, {});
  }
}
