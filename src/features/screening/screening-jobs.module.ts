import { Module } from '@nestjs/common';
import { RoundsProcessor } from './jobs/rounds.processor.js';
import { ScreeningModule } from './screening.module.js';

/** The queue workers of Screening, loaded only in processes that work on queues. */
@Module({
  imports: [ScreeningModule],
  providers: [RoundsProcessor],
})
export class ScreeningJobsModule {}
