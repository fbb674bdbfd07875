import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { RegistryModule } from '../registry/index.js';
import { ApprovalsController } from './api/approvals.controller.js';
import { ApprovalTrail } from './approval-trail.js';
import { Approvals } from './approvals.service.js';
import { SecondPerson } from './second-person.service.js';

@Module({
  imports: [AuditModule, RegistryModule],
  controllers: [ApprovalsController],
  providers: [Approvals, ApprovalTrail, SecondPerson],
  exports: [Approvals],
})
export class ApprovalsModule {}
