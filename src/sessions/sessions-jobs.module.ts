import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { OutboundModule } from '../outbound/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { UploadsModule } from '../uploads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ArtifactChecks } from './artifact-checks.js';
import { CheckProviders } from './check-providers.js';
import { ExpirySweep } from './expiry-sweep.js';
import { SessionChecksProcessor } from './jobs/checks.processor.js';
import { SessionReviewDecidedProcessor } from './jobs/review-decided.processor.js';
import { ScreeningCheck } from './screening.check.js';
import { SessionChecks } from './session-checks.service.js';
import { SessionConclusions } from './session-conclusions.js';
import { SessionDecisions } from './session-decisions.js';
import { StepUpWorkSource } from './step-up-work.source.js';
import { SessionFindings } from './session-findings.js';
import { SessionWorkSource } from './session-work.source.js';
import { SessionsModule } from './sessions.module.js';
import { SessionWorkRepository } from './store/session-work.repository.js';

/** The background half of Sessions: only processes that work on queues have it. */
@Module({
  imports: [
    AuditModule,
    CustomersModule,
    OutboundModule,
    ReviewsModule,
    ScreeningModule,
    SessionsModule,
    UploadsModule,
    WebhooksModule,
  ],
  providers: [
    ArtifactChecks,
    CheckProviders,
    ExpirySweep,
    ScreeningCheck,
    SessionChecks,
    SessionChecksProcessor,
    SessionConclusions,
    SessionDecisions,
    SessionFindings,
    SessionReviewDecidedProcessor,
    SessionWorkRepository,
    SessionWorkSource,
    StepUpWorkSource,
  ],
})
export class SessionsJobsModule {}
