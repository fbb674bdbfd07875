import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { FxModule } from '../fx/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { OutboundModule } from '../../platform/outbound/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { ScreeningModule } from '../screening/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { InputsController } from './api/inputs/inputs.controller.js';
import { LookBacksController } from './api/look-backs.controller.js';
import { DryRunsController, ReEvaluationsController } from './api/re-evaluations.controller.js';
import { SandboxController } from './api/sandbox.controller.js';
import { EvaluationWriter } from './pipeline/evaluation-writer.js';
import { FailureHandler } from './pipeline/failure-handler.js';
import { PipelineService } from './pipeline/pipeline.service.js';
import { ImmediateEvaluation } from './pipeline/immediate-evaluation.js';
import { StepUpResolver } from './pipeline/step-up-resolver.js';
import { EvaluationService } from './pipeline/evaluation.service.js';
import { FACT_PROVIDERS, type FactProvider, type FactProviderSteps } from './domain/facts/evidence.js';
import { DryRunService } from './replay/dry-run.service.js';
import { CaseFactProvider } from './facts/case.fact-provider.js';
import { CaseHistoryQueries } from './store/case-history.queries.js';
import { ExternalFactProvider } from './facts/external.fact-provider.js';
import { FactCollector } from './facts/fact-collector.js';
import { CustomFieldHistoryService } from './facts/windows/custom-field-history.service.js';
import { FxFactProvider } from './facts/fx.fact-provider.js';
import { InputCoverageService } from './inputs/input-coverage.service.js';
import { InputCoverageQueries } from './store/reading/input-coverage.queries.js';
import { KytModule } from './kyt.module.js';
import { LateEffectRepository } from './store/work/late-effect.repository.js';
import { LateEffectsService } from './late/late-effects.service.js';
import { LateEvidenceCollector } from './late/late-evidence-collector.js';
import { LateReEvaluationService } from './late/late-re-evaluation.service.js';
import { LateOutcomeRecorder } from './late/late-outcome-recorder.js';
import { LookBackRepository } from './store/work/look-back.repository.js';
import { LookBacksService } from './look-backs/look-backs.service.js';
import { ProfileFactProvider } from './facts/profile.fact-provider.js';
import { ReEvaluationService } from './pipeline/re-evaluation.service.js';
import { ReceiptExportService } from './replay/receipt-export.service.js';
import { PartyCollector } from './facts/party-collector.js';
import { SandboxFactProvider } from './facts/sandbox.fact-provider.js';
import { ScreeningFactProvider } from './facts/screening.fact-provider.js';
import { SessionFactProvider } from './facts/session.fact-provider.js';
import { SubmissionFactProvider } from './facts/submission.fact-provider.js';
import { TransactionDecrypter } from './pipeline/transaction-decrypter.js';
import { SandboxReadinessService } from './ingest/sandbox/sandbox-readiness.service.js';
import { TransactionRepairsService } from './operations/transaction-repairs.service.js';
import { VersionWriterService } from './pipeline/version-writer.service.js';
import { WarmUpService } from './warm-up/warm-up.service.js';
import { VelocityFactProvider } from './facts/windows/velocity.fact-provider.js';

/** Evaluates transactions: in the pipeline, immediately for a waiting caller, and again on request of an operator. */
@Module({
  imports: [
    ApprovalsModule,
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
  controllers: [
    DryRunsController,
    ReEvaluationsController,
    InputsController,
    LookBacksController,
    SandboxController,
  ],
  providers: [
    CaseFactProvider,
    CaseHistoryQueries,
    StepUpResolver,
    EvaluationService,
    EvaluationWriter,
    DryRunService,
    ExternalFactProvider,
    FactCollector,
    FailureHandler,
    FxFactProvider,
    InputCoverageQueries,
    InputCoverageService,
    CustomFieldHistoryService,
    PipelineService,
    LateEffectRepository,
    LateEffectsService,
    LateEvidenceCollector,
    LateReEvaluationService,
    LateOutcomeRecorder,
    LookBackRepository,
    LookBacksService,
    ProfileFactProvider,
    ImmediateEvaluation,
    ReEvaluationService,
    ReceiptExportService,
    PartyCollector,
    SandboxFactProvider,
    SandboxReadinessService,
    ScreeningFactProvider,
    SessionFactProvider,
    SubmissionFactProvider,
    TransactionDecrypter,
    TransactionRepairsService,
    VelocityFactProvider,
    VersionWriterService,
    WarmUpService,
    {
      provide: FACT_PROVIDERS,
      // Velocity sums the amounts in reais that FX has set, and the history, profile, session and case providers need
      // the customer whom screening has identified.
      inject: [
        SubmissionFactProvider,
        FxFactProvider,
        ScreeningFactProvider,
        VelocityFactProvider,
        ProfileFactProvider,
        SessionFactProvider,
        CaseFactProvider,
        ExternalFactProvider,
        SandboxFactProvider,
      ],
      useFactory: (
        submission: FactProvider,
        fx: FactProvider,
        screening: FactProvider,
        ...others: FactProvider[]
      ): FactProviderSteps => [[submission], [fx], [screening], others],
    },
  ],
  exports: [
    EvaluationService,
    FactCollector,
    PipelineService,
    InputCoverageService,
    LateEffectsService,
    LateReEvaluationService,
    LookBackRepository,
    ReEvaluationService,
    ReceiptExportService,
    PartyCollector,
    TransactionDecrypter,
  ],
})
export class EvaluationModule {}
