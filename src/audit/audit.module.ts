import { Module } from '@nestjs/common';
import { AuditKeys } from './audit-keys.js';
import { AuditTrail } from './audit-trail.js';
import { CheckpointSigner } from './checkpoint-signer.js';
import { Checkpoints } from './checkpoints.js';
import { LogProofs } from './log-proofs.js';
import { TrailContracts } from './trail-contracts.js';

@Module({
  providers: [AuditKeys, AuditTrail, CheckpointSigner, Checkpoints, LogProofs, TrailContracts],
  exports: [AuditKeys, AuditTrail, CheckpointSigner, Checkpoints, LogProofs, TrailContracts],
})
export class AuditModule {}
