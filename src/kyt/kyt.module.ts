import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { RulesModule } from '../rules/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { DeadLettersController } from './api/dead-letters.controller.js';
import { DeskController } from './api/desk.controller.js';
import { IngestLane } from './api/ingest.lane.js';
import { KytController } from './api/kyt.controller.js';
import { announceSuccessor, LegacyTransactionsController } from './api/legacy-transactions.controller.js';
import { BatchIngestService } from './batch-ingest.service.js';
import { DeadLetterDesk } from './dead-letter-desk.js';
import { DeadLettersService } from './dead-letters.service.js';
import { HistoryModule } from './history.module.js';
import { ConflictLog } from './conflict-log.js';
import { IngestBatcher } from './ingest-batcher.js';
import { IngestService } from './ingest.service.js';
import { IntakeReader } from './intake-reader.js';
import { KytMetrics } from './kyt-metrics.js';
import { LastTransactions } from './last-operations.js';
import { SealedBodies } from './sealed-body.js';
import { ReviewedTransactions } from './reviewed-transactions.js';
import { ArchiveQueries } from './store/archive.queries.js';
import { DeadLetterRepository } from './store/dead-letter.repository.js';
import { DecisionRepository } from './store/decision.repository.js';
import { DeskQueries } from './store/desk.queries.js';
import { IngestRepository } from './store/ingest.repository.js';
import { TransactionQueries } from './store/transaction.queries.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionArchive } from './transaction-archive.js';
import { TransactionDesk } from './transaction-desk.js';
import { TransactionPreparer } from './transaction-preparer.js';
import { TransactionTrail } from './transaction-trail.js';

@Module({
  imports: [
    HistoryModule,
    AuditModule,
    CustomersModule,
    HttpModule,
    ReviewsModule,
    RulesModule,
    WebhooksModule,
  ],
  controllers: [DeadLettersController, DeskController, KytController, LegacyTransactionsController],
  providers: [
    ArchiveQueries,
    BatchIngestService,
    DeadLetterDesk,
    DeadLetterRepository,
    DeadLettersService,
    DecisionRepository,
    DeskQueries,
    ConflictLog,
    IngestBatcher,
    IngestLane,
    IngestRepository,
    IngestService,
    IntakeReader,
    KytMetrics,
    LastTransactions,
    ReviewedTransactions,
    SealedBodies,
    TransactionArchive,
    TransactionDesk,
    TransactionPreparer,
    TransactionQueries,
    TransactionTrail,
    WorkRepository,
  ],
  exports: [
    DeadLettersService,
    DecisionRepository,
    IngestLane,
    KytMetrics,
    SealedBodies,
    TransactionArchive,
    TransactionDesk,
    TransactionQueries,
    WorkRepository,
  ],
})
export class KytModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(announceSuccessor).forRoutes(LegacyTransactionsController);
  }
}
