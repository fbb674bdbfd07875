import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { CashReports } from '../cash-reports.service.js';
import { Suspicions } from '../suspicions.service.js';

/** References are transactions that were evaluated and cases that were closed; each service knows its own. */
@Processor('dossiers.coaf')
export class CoafProcessor {
  constructor(
    private readonly cash: CashReports,
    private readonly suspicions: Suspicions,
  ) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.cash.record(job.data.refs);
    await this.suspicions.record(job.data.refs);
  }
}
