import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegistryModule } from '../../platform/registry/index.js';
import { AuditController } from './api/audit.controller.js';
import { ExportsController } from './api/exports.controller.js';
import { AnchorFile } from './log/anchor-file.js';
import { AuditExportsService } from './exports/audit-exports.service.js';
import { AuditKeys } from './log/audit-keys.js';
import { AuditPackages } from './exports/audit-packages.js';
import { BoundStateVerifier } from './trail/bound-state-verifier.js';
import { AuditTrail } from './trail/audit-trail.js';
import { CheckpointSigner } from './log/checkpoint-signer.js';
import { CheckpointsService } from './log/checkpoints.service.js';
import { DirectExportsService } from './exports/direct-exports.service.js';
import { ExportFilesService } from './exports/export-files.service.js';
import { ExportScopes } from './exports/export-scopes.js';
import { FindingsService } from './trail/findings.service.js';
import { MissingEntryFinder } from './exports/missing-entry-finder.js';
import { LegalHolds } from './log/legal-holds.js';
import { LogAuditorService } from './log/log-auditor.service.js';
import { LogProofBuilder } from './log/log-proof-builder.js';
import { PrunableTrails } from './log/prunable-trails.js';
import { PruningService } from './log/pruning.service.js';
import { LogRestartsService } from './log/log-restarts.service.js';
import { LogTail } from './log/log-tail.js';
import { RepairSources } from './trail/repair-sources.js';
import { ExportRepository } from './store/export.repository.js';
import { LogQueries } from './store/log.queries.js';
import { LogRepository } from './store/log.repository.js';
import { PruningRepository } from './store/pruning.repository.js';
import { ReadRecorder } from '../../platform/http/index.js';
import { AnchorsService } from './watch/anchors.service.js';
import { AuditHealthService } from './watch/audit-health.service.js';
import { PersonAccessRecorder } from './watch/person-access-recorder.js';
import { LeafCheckService } from './log/leaf-check.service.js';
import { LogChecks } from './watch/log-checks.js';
import { LogContract } from './watch/log-contract.js';
import { StateRederivation } from './trail/state-rederivation.js';
import { TrailContracts } from './trail/trail-contracts.js';
import { TrailRepairsService } from './trail/trail-repairs.service.js';
import { TrailSealVerifier } from './trail/trail-seal-verifier.js';
import { TrailSurvey } from './trail/trail-survey.js';
import { auditEntities } from './store/entities.js';

@Module({
  imports: [TypeOrmModule.forFeature(auditEntities), RegistryModule],
  controllers: [AuditController, ExportsController],
  providers: [
    AnchorFile,
    AnchorsService,
    AuditExportsService,
    AuditHealthService,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    BoundStateVerifier,
    CheckpointSigner,
    CheckpointsService,
    DirectExportsService,
    ExportFilesService,
    ExportRepository,
    ExportScopes,
    FindingsService,
    LeafCheckService,
    LegalHolds,
    LogAuditorService,
    LogChecks,
    LogProofBuilder,
    LogQueries,
    LogRepository,
    LogContract,
    PrunableTrails,
    PruningService,
    PruningRepository,
    LogRestartsService,
    LogTail,
    MissingEntryFinder,
    PersonAccessRecorder,
    { provide: ReadRecorder, useExisting: PersonAccessRecorder },
    RepairSources,
    StateRederivation,
    TrailContracts,
    TrailRepairsService,
    TrailSealVerifier,
    TrailSurvey,
  ],
  exports: [
    AnchorFile,
    AnchorsService,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    CheckpointsService,
    DirectExportsService,
    ExportRepository,
    ExportScopes,
    FindingsService,
    LegalHolds,
    LogAuditorService,
    LogChecks,
    LogProofBuilder,
    LogQueries,
    LogRepository,
    LogRestartsService,
    LogTail,
    PruningService,
    ReadRecorder,
    TrailRepairsService,
    TrailSurvey,
  ],
})
export class AuditModule {}
