import { Module } from '@nestjs/common';
import { RegistryModule } from '../../platform/registry/index.js';
import { AuditModule } from './audit.module.js';
import { AuditMetrics } from './audit-metrics.js';
import { ExportEnds } from './exports/export-ends.service.js';
import { ExportRunner } from './exports/export-runner.service.js';
import { ExportProcessor } from './jobs/export.processor.js';
import { AuditWatch } from './watch/audit-watch.service.js';
import { LateSeals } from './watch/late-seals.service.js';
import { RollbackGuard } from './jobs/rollback-guard.service.js';
import { Sealer } from './jobs/sealer.service.js';
import { TrailSweep } from './jobs/trail-sweep.service.js';
import { UnrecordedRows } from './trail/unrecorded-rows.js';
import { SweepRepository } from './store/sweep.repository.js';

/** The sealing side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule, RegistryModule],
  providers: [
    AuditMetrics,
    AuditWatch,
    ExportEnds,
    ExportProcessor,
    ExportRunner,
    LateSeals,
    RollbackGuard,
    Sealer,
    SweepRepository,
    TrailSweep,
    UnrecordedRows,
  ],
  exports: [AuditWatch, Sealer],
})
export class AuditJobsModule {}
