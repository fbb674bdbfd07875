import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditMetrics } from './audit-metrics.js';
import { ExportRunner } from './export-runner.js';
import { ExportWorkSource } from './export-work.source.js';
import { ExportProcessor } from './jobs/export.processor.js';
import { RollbackGuard } from './jobs/rollback-guard.js';
import { Sealer } from './jobs/sealer.js';
import { TrailSweep } from './jobs/trail-sweep.js';
import { SweepRepository } from './store/sweep.repository.js';

/** The sealing side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule],
  providers: [
    AuditMetrics,
    ExportProcessor,
    ExportRunner,
    ExportWorkSource,
    RollbackGuard,
    Sealer,
    SweepRepository,
    TrailSweep,
  ],
  exports: [Sealer],
})
export class AuditJobsModule {}
