import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { RegistryModule } from '../../platform/registry/index.js';
import { ApprovalsController } from './api/approvals.controller.js';
import { ApprovalTrail } from './approval-trail.js';
import { ApprovalReader } from './approval-reader.service.js';
import { Approvals } from './approvals.service.js';
import { SecondPerson } from './second-person.service.js';
import { approvalsEntities } from './store/entities/index.js';

@Module({
  imports: [TypeOrmModule.forFeature(approvalsEntities), AuditModule, RegistryModule],
  controllers: [ApprovalsController],
  providers: [ApprovalReader, Approvals, ApprovalTrail, SecondPerson],
  exports: [ApprovalReader, Approvals, SecondPerson],
})
export class ApprovalsModule {}
