import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { UploadsModule } from '../uploads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ArtifactChecksService } from './checks/artifact-checks.service.js';
import { ExpirySweepService } from './outcome/expiry-sweep.service.js';
import { SessionChecksProcessor } from './jobs/session-checks.processor.js';
import { SessionReviewDecidedProcessor } from './jobs/session-review-decided.processor.js';
import { ScreeningCheckService } from './checks/screening-check.service.js';
import { SessionChecksService } from './checks/session-checks.service.js';
import { SessionCompletionService } from './outcome/session-completion.service.js';
import { SessionApprovalsService } from './outcome/session-approvals.service.js';
import { SessionDeclarationsService } from './outcome/session-declarations.service.js';
import { SessionDecisionsService } from './outcome/session-decisions.service.js';
import { SessionFindingsService } from './checks/session-findings.service.js';
import { ReverificationSweepService } from './verified/reverification-sweep.service.js';
import { SessionsModule } from './sessions.module.js';
import { SessionWorkRepository } from './store/session-work.repository.js';

/** The queue workers of Sessions, loaded only in processes that work on queues. */
@Module({
  imports: [
    AuditModule,
    CustomersModule,
    ProvidersModule,
    ReviewsModule,
    ScreeningModule,
    SessionsModule,
    UploadsModule,
    WebhooksModule,
  ],
  providers: [
    ArtifactChecksService,
    ExpirySweepService,
    ReverificationSweepService,
    ScreeningCheckService,
    SessionChecksService,
    SessionChecksProcessor,
    SessionCompletionService,
    SessionDeclarationsService,
    SessionApprovalsService,
    SessionDecisionsService,
    SessionFindingsService,
    SessionReviewDecidedProcessor,
    SessionWorkRepository,
  ],
})
export class SessionsJobsModule {}
