import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { RecoveryRunnerService } from '../recoveries/recovery-runner.service.js';
import { FeedIncarnationsService } from '../events/feed-incarnations.service.js';
import { EventFeedQueries } from '../store/event-feed.queries.js';
import { RecoveriesRepository } from '../store/recoveries.repository.js';

// Time without progress after which the worker of a recovery has died: a chunk with its pauses takes less.
const IDLE_SECONDS = 15;

@Processor('webhooks.recovery')
export class RecoveryProcessor implements DurableProcessor {
  constructor(
    private readonly runner: RecoveryRunnerService,
    private readonly recoveries: RecoveriesRepository,
    private readonly feed: EventFeedQueries,
    private readonly incarnations: FeedIncarnationsService,
  ) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }

  /** Finds recoveries without a worker, and records the position of the feed, once a minute. */
  async findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    if (which === 'overdue') {
      // Checks for a new incarnation first, because the mark belongs to the current incarnation.
      await this.incarnations.recordPosition(tx);
      await this.feed.recordPosition(tx);
    }
    return this.recoveries.claimIdle(tx, which === 'overdue' ? IDLE_SECONDS : 0);
  }
}
