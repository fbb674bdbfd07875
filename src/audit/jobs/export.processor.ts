import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { ExportRunner } from '../export-runner.js';

@Processor('audit.exports')
export class ExportProcessor {
  constructor(private readonly runner: ExportRunner) {}

  // One at a time in a process: each of them reads and compresses as fast as it can.
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }
}
