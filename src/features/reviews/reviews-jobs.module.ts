import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ScreeningModule } from '../screening/index.js';
import { HitCasesService } from './hit-cases.service.js';
import { HitCasesProcessor } from './jobs/hit-cases.processor.js';
import { ReviewsModule } from './reviews.module.js';

/** Background jobs; only imported by processes that run queue workers. */
@Module({
  imports: [AuditModule, ReviewsModule, ScreeningModule],
  providers: [HitCasesService, HitCasesProcessor],
})
export class ReviewsJobsModule {}
