import { Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import { TrailContracts } from './trail-contracts.js';

@Module({ providers: [AuditTrail, TrailContracts], exports: [AuditTrail, TrailContracts] })
export class AuditModule {}
