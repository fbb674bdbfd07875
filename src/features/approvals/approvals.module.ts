import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { RegistryModule } from '../../platform/registry/index.js';
import { ApprovalsController } from './api/approvals.controller.js';
import { ApprovalContract } from './approval-contract.js';
import { ApprovalReaderService } from './approval-reader.service.js';
import { ApprovalSummaryService } from './approval-summary.service.js';
import { ApprovalsService } from './approvals.service.js';
import { SecondPersonService } from './second-person.service.js';
import { approvalsEntities } from './store/entities.js';

@Module({
  imports: [TypeOrmModule.forFeature(approvalsEntities), AuditModule, RegistryModule],
  controllers: [ApprovalsController],
  providers: [
    ApprovalReaderService,
    ApprovalsService,
    ApprovalSummaryService,
    ApprovalContract,
    SecondPersonService,
  ],
  exports: [ApprovalReaderService, ApprovalsService, SecondPersonService],
})
export class ApprovalsModule {}
