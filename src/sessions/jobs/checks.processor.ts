import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { SessionChecks } from '../session-checks.service.js';

@Processor('sessions.checks')
export class SessionChecksProcessor {
  constructor(private readonly checks: SessionChecks) {}

  @Process({ concurrency: 4 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.checks.advance(job.data.refs);
  }
}
