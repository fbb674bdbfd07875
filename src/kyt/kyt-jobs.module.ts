import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ConclusionCommit } from './conclusion-commit.js';
import { EvaluationModule } from './evaluation.module.js';
import { FailureDesk } from './failure-desk.js';
import { PipelineProcessor } from './jobs/pipeline.processor.js';
import { ReviewDecidedProcessor } from './jobs/review-decided.processor.js';
import { KytWorkSource } from './kyt-work.source.js';
import { KytModule } from './kyt.module.js';
import { SessionsModule } from '../sessions/index.js';
import { StepUpAnswers } from './step-up-answers.js';
import { StepUpProcessor } from './jobs/step-up.processor.js';
import { PipelineService } from './pipeline.service.js';

import { ReviewDecisions } from './review-decisions.js';

/** The background half of Kyt: only processes that work on queues have it. */
@Module({
  imports: [AuditModule, EvaluationModule, KytModule, ReviewsModule, SessionsModule, WebhooksModule],
  providers: [
    ConclusionCommit,
    FailureDesk,
    KytWorkSource,
    PipelineProcessor,
    PipelineService,
    ReviewDecidedProcessor,
    ReviewDecisions,
    StepUpAnswers,
    StepUpProcessor,
  ],
})
export class KytJobsModule {}
