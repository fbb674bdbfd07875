import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { ArtifactsController } from './api/artifacts.controller.js';
import { ArtifactCodec } from './artifact-codec.js';
import { ArtifactFiles } from './artifact-files.js';
import { ArtifactIntake } from './artifact-intake.js';
import { ArtifactStore } from './artifact-store.js';
import { ArtifactTrail } from './artifact-trail.js';
import { ArtifactsService } from './artifacts.service.js';
import { CustomerArtifacts } from './customer-artifacts.js';
import { FileReader } from './file-reader.js';
import { IntakePace } from './intake-pace.js';
import { newStore } from './new-store.js';
import { Staging } from './staging.js';
import { ArtifactRepository } from './store/artifact.repository.js';
import { UploadMetrics } from './upload-metrics.js';

@Module({
  imports: [AuditModule, CustomersModule, HttpModule],
  controllers: [ArtifactsController],
  providers: [
    CustomerArtifacts,
    ArtifactCodec,
    ArtifactFiles,
    ArtifactIntake,
    ArtifactRepository,
    { provide: ArtifactStore, inject: [Settings], useFactory: newStore },
    ArtifactTrail,
    ArtifactsService,
    FileReader,
    IntakePace,
    Staging,
    UploadMetrics,
  ],
  exports: [
    ArtifactFiles,
    ArtifactIntake,
    ArtifactRepository,
    ArtifactStore,
    ArtifactsService,
    Staging,
    UploadMetrics,
  ],
})
export class UploadsModule {}
