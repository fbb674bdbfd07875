import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { takeWaitingJobs, type Tx } from '../../database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../queue/index.js';
import { ExportRunner } from '../exports/export-runner.service.js';
import { EXPORT_JOBS } from '../store/export.repository.js';

@Processor('audit.exports')
export class ExportProcessor implements DurableProcessor {
  constructor(private readonly runner: ExportRunner) {}

  // One at a time in a process: each of them reads and compresses as fast as it can.
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return takeWaitingJobs(tx, EXPORT_JOBS, which);
  }
}
