import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { ScreeningModule } from '../screening/index.js';
import { ReviewTrail } from './review-trail.js';
import { ReviewsService } from './reviews.service.js';
import { OpeningRepository } from './store/opening.repository.js';
import { ReviewQueries } from './store/review.queries.js';

@Module({
  imports: [AuditModule, CustomersModule, HttpModule, ScreeningModule],
  providers: [OpeningRepository, ReviewQueries, ReviewsService, ReviewTrail],
  exports: [ReviewQueries, ReviewsService],
})
export class ReviewsModule {}
