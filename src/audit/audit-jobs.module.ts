import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditMetrics } from './audit-metrics.js';
import { RollbackGuard } from './jobs/rollback-guard.js';
import { Sealer } from './jobs/sealer.js';
import { LogRepository } from './store/log.repository.js';

/** The sealing side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule],
  providers: [AuditMetrics, LogRepository, RollbackGuard, Sealer],
  exports: [Sealer],
})
export class AuditJobsModule {}
