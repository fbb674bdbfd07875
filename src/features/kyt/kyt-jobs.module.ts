import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { EvaluationModule } from './evaluation.module.js';
import { ScreeningModule } from '../screening/index.js';
import { HitUsesProcessor } from './jobs/hit-uses.processor.js';
import { ClearedTransactions } from './operations/cleared-transactions.service.js';
import { HouseBackfill } from './house/house-backfill.service.js';
import { HouseBackfillProcessor } from './jobs/house-backfill.processor.js';
import { HouseBackfillRepository } from './store/work/house-backfill.repository.js';
import { LateEffectsProcessor } from './jobs/late-effects.processor.js';
import { LookBacksProcessor } from './jobs/look-backs.processor.js';
import { ListAlerts } from './look-backs/list-alerts.service.js';
import { LookBackRunner } from './look-backs/look-back-runner.service.js';
import { PastEvidence } from './look-backs/past-evidence.service.js';
import { RuleAlerts } from './look-backs/rule-alerts.service.js';
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
    CustomersModule,
    EvaluationModule,
    KytModule,
    ReviewsModule,
    RulesModule,
    ScreeningModule,
    SessionsModule,
    WebhooksModule,
  ],
  providers: [
    HouseBackfill,
    HouseBackfillProcessor,
    HouseBackfillRepository,
    ClearedTransactions,
    DecidedEvents,
    HitUsesProcessor,
    LateEffectsProcessor,
    ListAlerts,
    LookBackRunner,
    LookBacksProcessor,
    PastEvidence,
    PipelineProcessor,
    ReviewDecidedProcessor,
    ReviewDecisions,
    RuleAlerts,
    StepUpAnswers,
    StepUpProcessor,
  ],
})
export class KytJobsModule {}
