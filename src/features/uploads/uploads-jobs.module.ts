import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ArtifactSweepService } from './jobs/artifact-sweep.service.js';
import { UploadsModule } from './uploads.module.js';

@Module({
  imports: [AuditModule, UploadsModule],
  providers: [ArtifactSweepService],
})
export class UploadsJobsModule {}
