import { Module } from '@nestjs/common';
import { AuditController } from './api/audit.controller.js';
import { ExportsController } from './api/exports.controller.js';
import { ReincarnationsController } from './api/reincarnations.controller.js';
import { RepairsController } from './api/repairs.controller.js';
import { AnchorFile } from './anchor-file.js';
import { AuditExports } from './audit-exports.service.js';
import { AuditKeys } from './audit-keys.js';
import { AuditPackages } from './audit-packages.js';
import { AuditTrail } from './audit-trail.js';
import { CheckpointSigner } from './checkpoint-signer.js';
import { Checkpoints } from './checkpoints.js';
import { DirectExports } from './direct-exports.js';
import { ExportFiles } from './export-files.js';
import { ExportScopes } from './export-scopes.js';
import { ExportTrail } from './export-trail.js';
import { Findings } from './findings.js';
import { Holds } from './holds.js';
import { LogAuditor } from './log-auditor.js';
import { LogProofs } from './log-proofs.js';
import { Pruning } from './pruning.service.js';
import { Reincarnations } from './reincarnations.service.js';
import { RepairSources } from './repair-sources.js';
import { ExportRepository } from './store/export.repository.js';
import { FindingRepository } from './store/finding.repository.js';
import { LogQueries } from './store/log.queries.js';
import { LogRepository } from './store/log.repository.js';
import { PruningRepository } from './store/pruning.repository.js';
import { RepairRepository } from './store/repair.repository.js';
import { TrailContracts } from './trail-contracts.js';
import { TrailRepairs } from './trail-repairs.service.js';
import { TrailSeals } from './trail-seals.js';
import { TrailSurvey } from './trail-survey.js';

@Module({
  controllers: [AuditController, ExportsController, ReincarnationsController, RepairsController],
  providers: [
    AnchorFile,
    AuditExports,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    DirectExports,
    ExportFiles,
    ExportRepository,
    ExportScopes,
    ExportTrail,
    FindingRepository,
    Findings,
    Holds,
    LogAuditor,
    LogProofs,
    LogQueries,
    LogRepository,
    Pruning,
    PruningRepository,
    Reincarnations,
    RepairRepository,
    RepairSources,
    TrailContracts,
    TrailRepairs,
    TrailSeals,
    TrailSurvey,
  ],
  exports: [
    AnchorFile,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    DirectExports,
    ExportRepository,
    ExportScopes,
    FindingRepository,
    Findings,
    Holds,
    LogAuditor,
    LogProofs,
    LogQueries,
    LogRepository,
    Pruning,
    RepairSources,
    TrailContracts,
    TrailSurvey,
  ],
})
export class AuditModule {}
