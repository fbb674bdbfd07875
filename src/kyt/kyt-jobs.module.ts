import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { EvaluationModule } from './evaluation.module.js';
import { ScreeningModule } from '../screening/index.js';
import { HitUsesProcessor } from './jobs/hit-uses.processor.js';
import { ClearedTransactions } from './operations/cleared-transactions.service.js';
import { LateEffectsProcessor } from './jobs/late-effects.processor.js';
import { PipelineProcessor } from './jobs/pipeline.processor.js';
import { ReviewDecidedProcessor } from './jobs/review-decided.processor.js';
import { KytModule } from './kyt.module.js';
import { SessionsModule } from '../sessions/index.js';
import { StepUpAnswers } from './pipeline/step-up-answers.service.js';
import { StepUpProcessor } from './jobs/step-up.processor.js';

import { DecidedEvents } from './operations/decided-events.service.js';
import { ReviewDecisions } from './operations/review-decisions.service.js';

/** The background half of Kyt: only processes that work on queues have it. */
@Module({
  imports: [
    AuditModule,
    EvaluationModule,
    KytModule,
    ReviewsModule,
    ScreeningModule,
    SessionsModule,
    WebhooksModule,
  ],
  providers: [
    ClearedTransactions,
    DecidedEvents,
    HitUsesProcessor,
    LateEffectsProcessor,
    PipelineProcessor,
    ReviewDecidedProcessor,
    ReviewDecisions,
    StepUpAnswers,
    StepUpProcessor,
  ],
})
export class KytJobsModule {}
