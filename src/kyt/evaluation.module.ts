import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { FxModule } from '../fx/index.js';
import { HttpModule } from '../http/index.js';
import { OutboundModule } from '../outbound/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { ScreeningModule } from '../screening/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { JudgingController } from './api/judging.controller.js';
import { Conclusions } from './conclusion.js';
import { FACT_PROVIDERS, type FactProvider } from './domain/evidence.js';
import { DryRun } from './dry-run.service.js';
import { ExternalFacts } from './external.facts.js';
import { FactFinder } from './fact-finder.js';
import { FxFacts } from './fx.facts.js';
import { KytModule } from './kyt.module.js';
import { ProfileFacts } from './profile.facts.js';
import { ReEvaluation } from './re-evaluation.service.js';
import { ReceiptExport } from './receipt-export.service.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { VelocityQueries } from './store/velocity.queries.js';
import { ScreeningFacts } from './screening.facts.js';
import { SessionFacts } from './session.facts.js';
import { SubmissionFacts } from './submission.facts.js';
import { TransactionReader } from './transaction-reader.js';
import { TransactionRepairs } from './transaction-repairs.js';
import { VelocityReader } from './velocity-reader.js';
import { VelocityFacts } from './velocity.facts.js';

/** Evaluating: what the pipeline does with each transaction, and an operator with one of them again. */
@Module({
  imports: [
    AuditModule,
    CustomersModule,
    FxModule,
    HttpModule,
    KytModule,
    OutboundModule,
    ReviewsModule,
    RulesModule,
    ScreeningModule,
    SessionsModule,
    WebhooksModule,
  ],
  controllers: [JudgingController],
  providers: [
    Conclusions,
    DryRun,
    EvaluationRepository,
    ExternalFacts,
    FactFinder,
    FxFacts,
    ProfileFacts,
    ReEvaluation,
    ReceiptExport,
    ScreeningFacts,
    SessionFacts,
    SubmissionFacts,
    TransactionReader,
    TransactionRepairs,
    VelocityFacts,
    VelocityQueries,
    VelocityReader,
    {
      provide: FACT_PROVIDERS,
      // In this order: velocity adds up the amounts in reais that FX has found.
      // Profiles and sessions are found by the customer whom screening has identified.
      inject: [
        SubmissionFacts,
        FxFacts,
        VelocityFacts,
        ScreeningFacts,
        ProfileFacts,
        SessionFacts,
        ExternalFacts,
      ],
      useFactory: (...providers: FactProvider[]) => providers,
    },
  ],
  exports: [Conclusions, EvaluationRepository, FactFinder, ReEvaluation, ReceiptExport, TransactionReader],
})
export class EvaluationModule {}
