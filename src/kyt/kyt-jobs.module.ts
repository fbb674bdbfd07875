import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { FxModule } from '../fx/index.js';
import { RulesModule } from '../rules/index.js';
import { ScreeningModule } from '../screening/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { Conclusions } from './conclusion.js';
import { FACT_PROVIDERS, type FactProvider } from './domain/evidence.js';
import { FactFinder } from './fact-finder.js';
import { FailureDesk } from './failure-desk.js';
import { FxFacts } from './fx.facts.js';
import { PipelineProcessor } from './jobs/pipeline.processor.js';
import { KytWorkSource } from './kyt-work.source.js';
import { KytModule } from './kyt.module.js';
import { PipelineService } from './pipeline.service.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { VelocityQueries } from './store/velocity.queries.js';
import { ScreeningFacts } from './screening.facts.js';
import { SubmissionFacts } from './submission.facts.js';
import { TransactionReader } from './transaction-reader.js';
import { VelocityReader } from './velocity-reader.js';
import { VelocityFacts } from './velocity.facts.js';

/** The background half of Kyt: only processes that work on queues have it. */
@Module({
  imports: [AuditModule, CustomersModule, FxModule, KytModule, RulesModule, ScreeningModule, WebhooksModule],
  providers: [
    Conclusions,
    EvaluationRepository,
    FactFinder,
    FailureDesk,
    FxFacts,
    KytWorkSource,
    PipelineProcessor,
    PipelineService,
    ScreeningFacts,
    SubmissionFacts,
    TransactionReader,
    VelocityFacts,
    VelocityQueries,
    VelocityReader,
    {
      provide: FACT_PROVIDERS,
      // In this order: velocity adds up the amounts in reais that FX has found.
      inject: [SubmissionFacts, FxFacts, VelocityFacts, ScreeningFacts],
      useFactory: (...providers: FactProvider[]) => providers,
    },
  ],
})
export class KytJobsModule {}
