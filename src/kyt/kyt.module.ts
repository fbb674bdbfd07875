import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../http/index.js';
import { RulesModule } from '../rules/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { IngestLane } from './api/ingest.lane.js';
import { KytController } from './api/kyt.controller.js';
import { announceSuccessor, LegacyTransactionsController } from './api/legacy-transactions.controller.js';
import { BatchIngestService } from './batch-ingest.service.js';
import { DeadLettersService } from './dead-letters.service.js';
import { IngestBatcher } from './ingest-batcher.js';
import { IngestService } from './ingest.service.js';
import { IntakeReader } from './intake-reader.js';
import { KytMetrics } from './kyt-metrics.js';
import { SealedBodies } from './sealed-body.js';
import { IngestRepository } from './store/ingest.repository.js';
import { TransactionQueries } from './store/transaction.queries.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionPreparer } from './transaction-preparer.js';
import { TransactionTrail } from './transaction-trail.js';

@Module({
  imports: [AuditModule, HttpModule, RulesModule, WebhooksModule],
  controllers: [KytController, LegacyTransactionsController],
  providers: [
    BatchIngestService,
    DeadLettersService,
    IngestBatcher,
    IngestLane,
    IngestRepository,
    IngestService,
    IntakeReader,
    KytMetrics,
    SealedBodies,
    TransactionPreparer,
    TransactionQueries,
    TransactionTrail,
    WorkRepository,
  ],
  exports: [DeadLettersService, IngestLane, KytMetrics, SealedBodies, TransactionQueries, WorkRepository],
})
export class KytModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(announceSuccessor).forRoutes(LegacyTransactionsController);
  }
}
