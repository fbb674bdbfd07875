import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { UploadsModule } from '../uploads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ArtifactChecks } from './checks/artifact-checks.service.js';
import { ExpirySweep } from './outcome/expiry-sweep.service.js';
import { SessionChecksProcessor } from './jobs/checks.processor.js';
import { SessionReviewDecidedProcessor } from './jobs/review-decided.processor.js';
import { ScreeningCheck } from './checks/screening-check.service.js';
import { SessionChecks } from './checks/session-checks.service.js';
import { SessionCompletion } from './outcome/session-completion.service.js';
import { SessionApprovals } from './outcome/session-approvals.service.js';
import { SessionDeclarations } from './outcome/session-declarations.service.js';
import { SessionDecisions } from './outcome/session-decisions.service.js';
import { SessionFindings } from './checks/session-findings.service.js';
import { ReverificationSweep } from './verified/reverification-sweep.service.js';
import { SessionsModule } from './sessions.module.js';
import { SessionWorkRepository } from './store/session-work.repository.js';

/** The background half of Sessions: only processes that work on queues have it. */
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
    ArtifactChecks,
    ExpirySweep,
    ReverificationSweep,
    ScreeningCheck,
    SessionChecks,
    SessionChecksProcessor,
    SessionCompletion,
    SessionDeclarations,
    SessionApprovals,
    SessionDecisions,
    SessionFindings,
    SessionReviewDecidedProcessor,
    SessionWorkRepository,
  ],
})
export class SessionsJobsModule {}
