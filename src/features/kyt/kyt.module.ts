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
import { DeskController } from './api/transactions.controller.js';
import { IngestLane } from './api/ingest/ingest.lane.js';
import { KytController } from './api/ingest/kyt.controller.js';
import {
  announceSuccessor,
  LegacyTransactionsController,
} from './api/ingest/legacy-transactions.controller.js';
import { BatchIngestService } from './ingest/batch-ingest.service.js';
import { DeadLetterResolutionService } from './operations/dead-letter-resolution.service.js';
import { DeadLettersService } from './operations/dead-letters.service.js';
import { DecisionInCall } from './ingest/decision-in-call.service.js';
import { DecisionWaits } from './ingest/decision-waits.js';
import { HistoryModule } from './history.module.js';
import { ConflictLog } from './ingest/conflict-log.js';
import { FirstBodies } from './ingest/first-bodies.service.js';
import { HouseDoor } from './ingest/house-door.service.js';
import { IngestBatcher } from './ingest/ingest-batcher.js';
import { IngestService } from './ingest/ingest.service.js';
import { IntakeReader } from './ingest/intake-reader.service.js';
import { KytMetrics } from './kyt-metrics.js';
import { LastTransactions } from './operations/last-transactions.service.js';
import { SandboxScenarios } from './ingest/sandbox/sandbox-scenarios.service.js';
import { SealedBodies } from './ingest/sealed-body.js';
import { ReadBack } from './operations/read-back.service.js';
import { ArchiveQueries } from './store/archive.queries.js';
import { DeadLetterRepository } from './store/work/dead-letter.repository.js';
import { DecisionRepository } from './store/decision.repository.js';
import { OperatorTransactionQueries } from './store/reading/operator-transaction.queries.js';
import { IngestRepository } from './store/ingest.repository.js';
import { TransactionQueries } from './store/reading/transaction.queries.js';
import { WorkRepository } from './store/work/work.repository.js';
import { TransactionArchive } from './operations/transaction-archive.service.js';
import { TransactionQueryService } from './operations/transaction-query.service.js';
import { TransactionPreparer } from './ingest/transaction-preparer.js';
import { TransactionTrail } from './operations/transaction-trail.js';
import { kytEntities } from './store/entities/index.js';

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
  controllers: [DeadLettersController, DeskController, KytController, LegacyTransactionsController],
  providers: [
    ArchiveQueries,
    BatchIngestService,
    DeadLetterResolutionService,
    DeadLetterRepository,
    DeadLettersService,
    DecisionInCall,
    DecisionRepository,
    DecisionWaits,
    FirstBodies,
    HouseDoor,
    OperatorTransactionQueries,
    ConflictLog,
    IngestBatcher,
    IngestLane,
    IngestRepository,
    IngestService,
    IntakeReader,
    KytMetrics,
    LastTransactions,
    ReadBack,
    SandboxScenarios,
    SealedBodies,
    TransactionArchive,
    TransactionQueryService,
    TransactionPreparer,
    TransactionQueries,
    TransactionTrail,
    WorkRepository,
  ],
  exports: [
    DeadLettersService,
    DecisionRepository,
    DecisionWaits,
    IngestLane,
    KytMetrics,
    SandboxScenarios,
    SealedBodies,
    TransactionArchive,
    TransactionQueryService,
    TransactionQueries,
    WorkRepository,
  ],
})
export class KytModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(announceSuccessor).forRoutes(LegacyTransactionsController);
  }
}
