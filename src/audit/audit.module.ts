import { Module } from '@nestjs/common';
import { AuditController } from './api/audit.controller.js';
import { AuditKeys } from './audit-keys.js';
import { AuditPackages } from './audit-packages.js';
import { AuditTrail } from './audit-trail.js';
import { CheckpointSigner } from './checkpoint-signer.js';
import { Checkpoints } from './checkpoints.js';
import { LogAuditor } from './log-auditor.js';
import { LogProofs } from './log-proofs.js';
import { LogQueries } from './store/log.queries.js';
import { TrailContracts } from './trail-contracts.js';

@Module({
  controllers: [AuditController],
  providers: [
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    LogAuditor,
    LogProofs,
    LogQueries,
    TrailContracts,
  ],
  exports: [
    AuditKeys,
    AuditPackages,
    AuditTrail,
    CheckpointSigner,
    Checkpoints,
    LogAuditor,
    LogProofs,
    TrailContracts,
  ],
})
export class AuditModule {}
