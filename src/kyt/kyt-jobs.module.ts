import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { RulesModule } from '../rules/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { Conclusions } from './conclusion.js';
import { EVIDENCE_PROVIDERS, type EvidenceProvider } from './domain/evidence.js';
import { FailureDesk } from './failure-desk.js';
import { PipelineProcessor } from './jobs/pipeline.processor.js';
import { KytWorkSource } from './kyt-work.source.js';
import { KytModule } from './kyt.module.js';
import { PipelineService } from './pipeline.service.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { SubmissionEvidence } from './submission.evidence.js';
import { TransactionReader } from './transaction-reader.js';
import { VelocityEvidence } from './velocity.evidence.js';

/** The background half of Kyt: only processes that work on queues have it. */
@Module({
  imports: [AuditModule, KytModule, RulesModule, WebhooksModule],
  providers: [
    Conclusions,
    EvaluationRepository,
    FailureDesk,
    KytWorkSource,
    PipelineProcessor,
    PipelineService,
    SubmissionEvidence,
    TransactionReader,
    VelocityEvidence,
    {
      provide: EVIDENCE_PROVIDERS,
      inject: [SubmissionEvidence, VelocityEvidence],
      useFactory: (...providers: EvidenceProvider[]) => providers,
    },
  ],
})
export class KytJobsModule {}
