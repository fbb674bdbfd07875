import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { ScreeningModule } from '../screening/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ArtifactChecks } from './artifact-checks.js';
import { ExpirySweep } from './expiry-sweep.js';
import { SessionChecksProcessor } from './jobs/checks.processor.js';
import { ScreeningCheck } from './screening.check.js';
import { SessionChecks } from './session-checks.service.js';
import { SessionConclusions } from './session-conclusions.js';
import { SessionWorkSource } from './session-work.source.js';
import { SessionsModule } from './sessions.module.js';
import { SessionWorkRepository } from './store/session-work.repository.js';

/** The background half of Sessions: only processes that work on queues have it. */
@Module({
  imports: [AuditModule, CustomersModule, ScreeningModule, SessionsModule, WebhooksModule],
  providers: [
    ArtifactChecks,
    ExpirySweep,
    ScreeningCheck,
    SessionChecks,
    SessionChecksProcessor,
    SessionConclusions,
    SessionWorkRepository,
    SessionWorkSource,
  ],
})
export class SessionsJobsModule {}
