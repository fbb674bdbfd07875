import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { EvaluationModule } from './evaluation.module.js';
import { ScreeningModule } from '../screening/index.js';
import { HitUsesProcessor } from './jobs/hit-uses.processor.js';
import { ReopenedHitTransactionsService } from './operations/reopened-hit-transactions.service.js';
import { ConfirmedFactsService } from './pipeline/confirmed-facts.service.js';
import { FactsConfirmedProcessor } from './jobs/facts-confirmed.processor.js';
import { CustomFieldBackfillService } from './custom-fields/custom-field-backfill.service.js';
import { CustomFieldBackfillProcessor } from './jobs/custom-field-backfill.processor.js';
import { CustomFieldBackfillRepository } from './store/work/custom-field-backfill.repository.js';
import { LateEffectsProcessor } from './jobs/late-effects.processor.js';
import { LookBacksProcessor } from './jobs/look-backs.processor.js';
import { ListAlertsService } from './look-backs/list-alerts.service.js';
import { LookBackRunnerService } from './look-backs/look-back-runner.service.js';
import { PastEvidenceService } from './look-backs/past-evidence.service.js';
import { RuleAlertsService } from './look-backs/rule-alerts.service.js';
import { PipelineProcessor } from './jobs/pipeline.processor.js';
import { ReviewDecidedProcessor } from './jobs/review-decided.processor.js';
import { KytModule } from './kyt.module.js';
import { SessionsModule } from '../sessions/index.js';
import { StepUpResultsService } from './pipeline/step-up-results.service.js';
import { StepUpProcessor } from './jobs/step-up.processor.js';

import { DecidedEventsService } from './operations/decided-events.service.js';
import { ReviewDecisionsService } from './operations/review-decisions.service.js';

/** The queue processors of kyt; only processes with a worker role import them. */
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
    CustomFieldBackfillService,
    CustomFieldBackfillProcessor,
    CustomFieldBackfillRepository,
    ReopenedHitTransactionsService,
    ConfirmedFactsService,
    DecidedEventsService,
    FactsConfirmedProcessor,
    HitUsesProcessor,
    LateEffectsProcessor,
    ListAlertsService,
    LookBackRunnerService,
    LookBacksProcessor,
    PastEvidenceService,
    PipelineProcessor,
    ReviewDecidedProcessor,
    ReviewDecisionsService,
    RuleAlertsService,
    StepUpResultsService,
    StepUpProcessor,
  ],
})
export class KytJobsModule {}
