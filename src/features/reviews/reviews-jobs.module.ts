import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ScreeningModule } from '../screening/index.js';
import { HitCasesService } from './hit-cases.service.js';
import { HitCasesProcessor } from './jobs/hit-cases.processor.js';
import { ReviewsModule } from './reviews.module.js';

/** The background jobs of Reviews; only processes that work on queues import it. */
@Module({
  imports: [AuditModule, ReviewsModule, ScreeningModule],
  providers: [HitCasesService, HitCasesProcessor],
})
export class ReviewsJobsModule {}
