import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditMetrics } from './audit-metrics.js';
import { ExportEnds } from './exports/export-ends.service.js';
import { ExportRunner } from './exports/export-runner.service.js';
import { ExportProcessor } from './jobs/export.processor.js';
import { RollbackGuard } from './jobs/rollback-guard.service.js';
import { Sealer } from './jobs/sealer.service.js';
import { TrailSweep } from './jobs/trail-sweep.service.js';
import { SweepRepository } from './store/sweep.repository.js';

/** The sealing side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule],
  providers: [
    AuditMetrics,
    ExportEnds,
    ExportProcessor,
    ExportRunner,
    RollbackGuard,
    Sealer,
    SweepRepository,
    TrailSweep,
  ],
  exports: [Sealer],
})
export class AuditJobsModule {}
