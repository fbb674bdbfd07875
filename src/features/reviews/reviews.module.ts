import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { OpenCaseRegistry } from '../operators/index.js';
import { RegistryModule } from '../../platform/registry/index.js';
import { ScreeningModule } from '../screening/index.js';
import { UploadsModule } from '../uploads/index.js';
import { CasePartsController } from './api/case-parts.controller.js';
import { ReviewAttachmentsController } from './api/review-attachments.controller.js';
import { ReviewStepsController } from './api/review-steps.controller.js';
import { ReviewsController } from './api/reviews.controller.js';
import { AssignmentsService } from './cases/assignments.service.js';
import { CasePeopleService } from './case-people.service.js';
import { CaseDecisionsService } from './cases/case-decisions.service.js';
import { CaseReopeningService } from './case-reopening.service.js';
import { CaseMergesService } from './cases/case-merges.service.js';
import { CaseSummaryService } from './case-summary.service.js';
import { CaseTransactionsService } from './cases/case-transactions.service.js';
import { CasesService } from './cases/cases.service.js';
import { CustomerCasesService } from './customer-cases.service.js';
import { ReviewAttachmentsService } from './cases/review-attachments.service.js';
import { ReviewWorkflowService } from './cases/review-workflow.service.js';
import { ReviewEffectsService } from './cases/review-effects.service.js';
import { ReviewFilesService } from './cases/review-files.service.js';
import { ReviewPreconditionsService } from './cases/review-preconditions.service.js';
import { ReviewNotesService } from './cases/review-notes.service.js';
import { PastAlertsService } from './past-alerts.service.js';
import { CaseTransactionReader } from './case-transaction-reader.js';
import { ReviewsService } from './cases/reviews.service.js';
import { MergeRepository } from './store/merge.repository.js';
import { OpeningRepository } from './store/opening.repository.js';
import { ReviewQueries } from './store/review.queries.js';
import { ReviewRepository } from './store/review.repository.js';
import { reviewsEntities } from './store/entities.js';

// Global: Operators unassigns the cases of a disabled operator through `OpenCaseRegistry` without importing this module.
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature(reviewsEntities),
    ApprovalsModule,
    AuditModule,
    CustomersModule,
    HttpModule,
    RegistryModule,
    ScreeningModule,
    UploadsModule,
  ],
  controllers: [CasePartsController, ReviewAttachmentsController, ReviewsController, ReviewStepsController],
  providers: [
    AssignmentsService,
    CaseDecisionsService,
    CaseMergesService,
    CasePeopleService,
    CaseReopeningService,
    CasesService,
    CaseSummaryService,
    CaseTransactionsService,
    CustomerCasesService,
    MergeRepository,
    OpeningRepository,
    PastAlertsService,
    ReviewAttachmentsService,
    ReviewWorkflowService,
    ReviewEffectsService,
    ReviewFilesService,
    ReviewPreconditionsService,
    ReviewNotesService,
    ReviewQueries,
    ReviewRepository,
    CaseTransactionReader,
    ReviewsService,
    { provide: OpenCaseRegistry, useExisting: AssignmentsService },
  ],
  exports: [
    OpenCaseRegistry,
    CaseDecisionsService,
    CaseReopeningService,
    CasesService,
    PastAlertsService,
    ReviewEffectsService,
    ReviewFilesService,
    ReviewNotesService,
    ReviewQueries,
    ReviewRepository,
    ReviewsService,
  ],
})
export class ReviewsModule {}
