import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { PipelineService } from '../pipeline.service.js';

// One batch computes while the other waits for the database; a third would only queue for the processor.
const CONCURRENCY = 2;

@Processor('kyt.pipeline')
export class PipelineProcessor {
  constructor(private readonly pipeline: PipelineService) {}

  @Process({ concurrency: CONCURRENCY })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.pipeline.advance(job.data.refs);
  }
}
