import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { Settings } from '../../platform/config/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { OutboundModule, OutboundProxy } from '../../platform/outbound/index.js';
import { ArtifactsController } from './api/artifacts.controller.js';
import { ArtifactCodec } from './storage/artifact-codec.js';
import { ArtifactViewsService } from './artifact-views.service.js';
import { ArtifactFiles } from './storage/artifact-files.js';
import { ArtifactIntake } from './intake/artifact-intake.js';
import { ArtifactStorage } from './intake/artifact-storage.js';
import { ArtifactStore } from './storage/artifact-store.js';
import { ArtifactsService } from './artifacts.service.js';
import { CustomerArtifactsService } from './customer-artifacts.service.js';
import { PictureIntake } from './intake/picture-intake.js';
import { FileReader } from './intake/file-reader.js';
import { UploadPace } from './intake/intake-pace.js';
import { newStore } from './storage/new-store.js';
import { StagingArea } from './intake/staging-area.js';
import { ArtifactRepository } from './store/artifact.repository.js';
import { UploadMetrics } from './upload-metrics.js';
import { uploadsEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(uploadsEntities),
    AuditModule,
    CustomersModule,
    HttpModule,
    OutboundModule,
  ],
  controllers: [ArtifactsController],
  providers: [
    PictureIntake,
    CustomerArtifactsService,
    ArtifactCodec,
    ArtifactFiles,
    ArtifactIntake,
    ArtifactStorage,
    ArtifactRepository,
    { provide: ArtifactStore, inject: [Settings, OutboundProxy], useFactory: newStore },
    ArtifactViewsService,
    ArtifactsService,
    FileReader,
    UploadPace,
    StagingArea,
    UploadMetrics,
  ],
  exports: [
    PictureIntake,
    ArtifactFiles,
    ArtifactIntake,
    ArtifactRepository,
    ArtifactStore,
    ArtifactViewsService,
    ArtifactsService,
    StagingArea,
    UploadMetrics,
  ],
})
export class UploadsModule {}
