import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { LogRestartsController } from './api/log-restarts.controller.js';
import { RepairsController } from './api/repairs.controller.js';
import { LogRestartApprovalsService } from './log-restart-approvals.service.js';
import { RepairApprovalsService } from './repair-approvals.service.js';

@Module({
  imports: [ApprovalsModule, AuditModule],
  controllers: [LogRestartsController, RepairsController],
  providers: [LogRestartApprovalsService, RepairApprovalsService],
})
export class RepairsModule {}
