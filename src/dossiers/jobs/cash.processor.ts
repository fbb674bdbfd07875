import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { CashReports } from '../cash-reports.service.js';

@Processor('dossiers.cash')
export class CashProcessor {
  constructor(private readonly reports: CashReports) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.reports.record(job.data.refs);
  }
}
