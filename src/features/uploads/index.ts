// Owns uploaded files. Promises that every stored file is a real photo or PDF, sealed under the data key of its person, and
// that a refused file leaves nothing behind.
export { UploadsModule } from './uploads.module.js';
export { UploadsJobsModule } from './uploads-jobs.module.js';
export { pictureFlawsOf } from './domain/picture-judge.js';
export { ArtifactStore } from './storage/artifact-store.js';
export { StoreFailedError } from './storage/s3-store.js';
export { PictureIntake } from './intake/picture-intake.js';
export { ArtifactIntake } from './intake/artifact-intake.js';
export type { UploadResult, UploadRequest } from './intake/artifact-storage.js';
export { ArtifactView, ImageQualityView } from './api/artifact.view.dto.js';
export { ArtifactViewsService } from './artifact-views.service.js';
export { ArtifactsService } from './artifacts.service.js';
export type { UploadFields } from './intake/multipart.js';
export {
  artifactKinds,
  artifactMimeTypes,
  artifactSides,
  type ArtifactDescription,
  type ArtifactKind,
  type ArtifactMimeType,
  type KnownArtifact,
} from './domain/artifact.js';
