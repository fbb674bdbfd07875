import { Module } from '@nestjs/common';
import { RegistryModule } from '../../platform/registry/index.js';
import { AuditModule } from './audit.module.js';
import { AuditMetrics } from './audit-metrics.js';
import { ExportEndsService } from './exports/export-ends.service.js';
import { ExportRunnerService } from './exports/export-runner.service.js';
import { ExportProcessor } from './jobs/export.processor.js';
import { AuditWatchService } from './watch/audit-watch.service.js';
import { LateSealDetector } from './watch/late-seal-detector.js';
import { RollbackGuard } from './jobs/rollback-guard.js';
import { SealerService } from './jobs/sealer.service.js';
import { TrailSweepService } from './jobs/trail-sweep.service.js';
import { UnrecordedRows } from './trail/unrecorded-rows.js';
import { SweepRepository } from './store/sweep.repository.js';

/** Seals, sweeps and exports the log; imported by processes that work on queues. */
@Module({
  imports: [AuditModule, RegistryModule],
  providers: [
    AuditMetrics,
    AuditWatchService,
    ExportEndsService,
    ExportProcessor,
    ExportRunnerService,
    LateSealDetector,
    RollbackGuard,
    SealerService,
    SweepRepository,
    TrailSweepService,
    UnrecordedRows,
  ],
  exports: [AuditWatchService, SealerService],
})
export class AuditJobsModule {}
