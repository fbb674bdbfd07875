import { Module } from '@nestjs/common';
import { RoundsProcessor } from './jobs/rounds.processor.js';
import { ScreeningModule } from './screening.module.js';

/** The background half of Screening: only processes that work on queues have it. */
@Module({
  imports: [ScreeningModule],
  providers: [RoundsProcessor],
})
export class ScreeningJobsModule {}
