import { Module } from '@nestjs/common';
import { AuditController } from './api/audit.controller.js';
import { ReincarnationsController } from './api/reincarnations.controller.js';
import { RepairsController } from './api/repairs.controller.js';
import { AnchorFile } from './anchor-file.js';
import { AuditKeys } from './audit-keys.js';
import { AuditPackages } from './audit-packages.js';
import { AuditTrail } from './audit-trail.js';
import { CheckpointSigner } from './checkpoint-signer.js';
import { Checkpoints } from './checkpoints.js';
import { LogAuditor } from './log-auditor.js';
import { LogProofs } from './log-proofs.js';
import { Reincarnations } from './reincarnations.service.js';
import { RepairSources } from './repair-sources.js';
import { LogQueries } from './store/log.queries.js';
import { RepairRepository } from './store/repair.repository.js';
import { TrailContracts } from './trail-contracts.js';
import { TrailRepairs } from './trail-repairs.service.js';
import { TrailSeals } from './trail-seals.js';

@Module({
  controllers: [AuditController, ReincarnationsController, RepairsController],
  providers: [
    AnchorFile,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    LogAuditor,
    LogProofs,
    LogQueries,
    Reincarnations,
    RepairRepository,
    RepairSources,
    TrailContracts,
    TrailRepairs,
    TrailSeals,
  ],
  exports: [
    AnchorFile,
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    LogAuditor,
    LogProofs,
    RepairSources,
    TrailContracts,
  ],
})
export class AuditModule {}
