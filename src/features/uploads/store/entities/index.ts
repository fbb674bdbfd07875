import { ArtifactEntity } from './artifact.entity.js';

export const uploadsEntities = [ArtifactEntity];
