import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { ScreeningModule } from '../screening/index.js';
import { UploadsModule } from '../uploads/index.js';
import { ReviewAttachmentsController } from './api/review-attachments.controller.js';
import { ReviewStepsController } from './api/review-steps.controller.js';
import { ReviewsController } from './api/reviews.controller.js';
import { Assignments } from './assignments.js';
import { CaseDesk } from './case-desk.js';
import { CustomerCases } from './customer-cases.js';
import { ReviewAttachments } from './review-attachments.js';
import { ReviewDesk } from './review-desk.js';
import { ReviewEffects } from './review-effects.js';
import { ReviewFiles } from './review-files.js';
import { ReviewGates } from './review-gates.js';
import { ReviewNotes } from './review-notes.js';
import { ReviewSubjects } from './review-subjects.js';
import { ReviewTrail } from './review-trail.js';
import { ReviewsService } from './reviews.service.js';
import { OpeningRepository } from './store/opening.repository.js';
import { ReviewQueries } from './store/review.queries.js';
import { ReviewRepository } from './store/review.repository.js';

@Module({
  imports: [AuditModule, CustomersModule, HttpModule, ScreeningModule, UploadsModule],
  controllers: [ReviewAttachmentsController, ReviewsController, ReviewStepsController],
  providers: [
    Assignments,
    CaseDesk,
    CustomerCases,
    OpeningRepository,
    ReviewAttachments,
    ReviewDesk,
    ReviewEffects,
    ReviewFiles,
    ReviewGates,
    ReviewNotes,
    ReviewQueries,
    ReviewRepository,
    ReviewSubjects,
    ReviewTrail,
    ReviewsService,
  ],
  exports: [
    ReviewEffects,
    ReviewFiles,
    ReviewNotes,
    ReviewQueries,
    ReviewRepository,
    ReviewSubjects,
    ReviewsService,
  ],
})
export class ReviewsModule {}
