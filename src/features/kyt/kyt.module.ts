import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { DeadLettersController } from './api/dead-letters.controller.js';
import { OperatorTransactionsController } from './api/transactions.controller.js';
import { EventsController } from './api/events/events.controller.js';
import { LaneRoutesService } from './api/ingest/lane-routes.service.js';
import { EventContract } from './events/event-contract.js';
import { EventIngestService } from './events/event-ingest.service.js';
import { EventPreparer } from './events/event-preparer.js';
import { IngestLane } from './api/ingest/ingest.lane.js';
import { KytController } from './api/ingest/kyt.controller.js';
import {
  announceSuccessor,
  LegacyTransactionsController,
} from './api/ingest/legacy-transactions.controller.js';
import { BatchIngestService } from './ingest/batch-ingest.service.js';
import { DeadLetterResolutionService } from './operations/dead-letter-resolution.service.js';
import { DeadLettersService } from './operations/dead-letters.service.js';
import { DecisionWaitService } from './ingest/decision-wait.service.js';
import { PendingDecisions } from './ingest/pending-decisions.js';
import { HistoryModule } from './history.module.js';
import { ConflictLog } from './ingest/conflict-log.js';
import { SubmissionDifferencesService } from './ingest/submission-differences.service.js';
import { CustomFieldValidationService } from './ingest/custom-field-validation.service.js';
import { IngestBatcher } from './ingest/ingest-batcher.js';
import { IngestService } from './ingest/ingest.service.js';
import { IntakeReaderService } from './ingest/intake-reader.service.js';
import { KytMetrics } from './kyt-metrics.js';
import { LastTransactionsService } from './operations/last-transactions.service.js';
import { MadeUpIntakeService } from './warm-up/made-up-intake.service.js';
import { SandboxScenariosService } from './ingest/sandbox/sandbox-scenarios.service.js';
import { BodyEncryption } from './ingest/body-encryption.js';
import { TransactionReadService } from './operations/transaction-read.service.js';
import { ArchiveQueries } from './store/archive.queries.js';
import { DeadLetterRepository } from './store/work/dead-letter.repository.js';
import { CaseWindowQueries } from './store/reading/case-window.queries.js';
import { DecisionRepository } from './store/decision.repository.js';
import { OperatorTransactionQueries } from './store/reading/operator-transaction.queries.js';
import { IngestRepository } from './store/ingest.repository.js';
import { TransactionQueries } from './store/reading/transaction.queries.js';
import { TransactionWorkRepository } from './store/work/transaction-work.repository.js';
import { TransactionArchiveService } from './operations/transaction-archive.service.js';
import { TransactionQueryService } from './operations/transaction-query.service.js';
import { TransactionPreparer } from './ingest/transaction-preparer.js';
import { TransactionContract } from './operations/transaction-contract.js';
import { kytEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(kytEntities),
    HistoryModule,
    ApprovalsModule,
    AuditModule,
    CustomersModule,
    HttpModule,
    ReviewsModule,
    RulesModule,
    SessionsModule,
    WebhooksModule,
  ],
  controllers: [
    DeadLettersController,
    OperatorTransactionsController,
    KytController,
    EventsController,
    LegacyTransactionsController,
  ],
  providers: [
    ArchiveQueries,
    BatchIngestService,
    DeadLetterResolutionService,
    DeadLetterRepository,
    DeadLettersService,
    DecisionWaitService,
    EventContract,
    EventIngestService,
    EventPreparer,
    LaneRoutesService,
    CaseWindowQueries,
    DecisionRepository,
    PendingDecisions,
    SubmissionDifferencesService,
    CustomFieldValidationService,
    OperatorTransactionQueries,
    ConflictLog,
    IngestBatcher,
    IngestLane,
    IngestRepository,
    IngestService,
    IntakeReaderService,
    KytMetrics,
    LastTransactionsService,
    MadeUpIntakeService,
    TransactionReadService,
    SandboxScenariosService,
    BodyEncryption,
    TransactionArchiveService,
    TransactionQueryService,
    TransactionPreparer,
    TransactionQueries,
    TransactionContract,
    TransactionWorkRepository,
  ],
  exports: [
    DeadLettersService,
    DecisionRepository,
    PendingDecisions,
    IngestBatcher,
    IngestLane,
    KytMetrics,
    MadeUpIntakeService,
    SandboxScenariosService,
    BodyEncryption,
    TransactionArchiveService,
    TransactionQueryService,
    TransactionQueries,
    TransactionWorkRepository,
  ],
})
export class KytModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(announceSuccessor).forRoutes(LegacyTransactionsController);
  }
}
