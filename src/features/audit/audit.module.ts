import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegistryModule } from '../../platform/registry/index.js';
import { AuditController } from './api/audit.controller.js';
import { ExportsController } from './api/exports.controller.js';
import { AnchorFile } from './log/anchor-file.js';
import { AuditExports } from './exports/audit-exports.service.js';
import { AuditKeys } from './log/audit-keys.js';
import { AuditPackages } from './exports/audit-packages.service.js';
import { BoundStates } from './trail/bound-states.js';
import { AuditTrail } from './trail/audit-trail.service.js';
import { CheckpointSigner } from './log/checkpoint-signer.js';
import { Checkpoints } from './log/checkpoints.service.js';
import { DirectExports } from './exports/direct-exports.service.js';
import { ExportFiles } from './exports/export-files.service.js';
import { ExportScopes } from './exports/export-scopes.js';
import { ExportTrail } from './exports/export-trail.js';
import { Findings } from './trail/findings.service.js';
import { MissingEntries } from './exports/missing-entries.js';
import { LegalHolds } from './log/legal-holds.js';
import { LogAuditor } from './log/log-auditor.service.js';
import { LogProofs } from './log/log-proofs.service.js';
import { PrunableTrails } from './log/prunable-trails.service.js';
import { Pruning } from './log/pruning.service.js';
import { LogRestarts } from './log/log-restarts.service.js';
import { LogTail } from './log/log-tail.service.js';
import { RepairSources } from './trail/repair-sources.js';
import { ExportRepository } from './store/export.repository.js';
import { LogQueries } from './store/log.queries.js';
import { LogRepository } from './store/log.repository.js';
import { PruningRepository } from './store/pruning.repository.js';
import { ReadRecorder } from '../../platform/http/index.js';
import { Anchors } from './watch/anchors.service.js';
import { AuditHealth } from './watch/audit-health.service.js';
import { PersonReads } from './watch/person-reads.service.js';
import { LeafCheck } from './log/leaf-check.service.js';
import { LogChecks } from './watch/log-checks.js';
import { LogTrail } from './watch/log-trail.js';
import { StateRederivation } from './trail/state-rederivation.js';
import { TrailContracts } from './trail/trail-contracts.js';
import { TrailRepairs } from './trail/trail-repairs.service.js';
import { TrailSeals } from './trail/trail-seals.service.js';
import { TrailSurvey } from './trail/trail-survey.service.js';
import { auditEntities } from './store/entities/index.js';

@Module({
  imports: [TypeOrmModule.forFeature(auditEntities), RegistryModule],
  controllers: [AuditController, ExportsController],
  providers: [
    AnchorFile,
    Anchors,
    AuditExports,
    AuditHealth,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    BoundStates,
    CheckpointSigner,
    Checkpoints,
    DirectExports,
    ExportFiles,
    ExportRepository,
    ExportScopes,
    ExportTrail,
    Findings,
    LeafCheck,
    LegalHolds,
    LogAuditor,
    LogChecks,
    LogProofs,
    LogQueries,
    LogRepository,
    LogTrail,
    PrunableTrails,
    Pruning,
    PruningRepository,
    LogRestarts,
    LogTail,
    MissingEntries,
    PersonReads,
    { provide: ReadRecorder, useExisting: PersonReads },
    RepairSources,
    StateRederivation,
    TrailContracts,
    TrailRepairs,
    TrailSeals,
    TrailSurvey,
  ],
  exports: [
    AnchorFile,
    Anchors,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    DirectExports,
    ExportRepository,
    ExportScopes,
    Findings,
    LegalHolds,
    LogAuditor,
    LogChecks,
    LogProofs,
    LogQueries,
    LogRepository,
    LogRestarts,
    LogTail,
    Pruning,
    ReadRecorder,
    TrailRepairs,
    TrailSurvey,
  ],
})
export class AuditModule {}
