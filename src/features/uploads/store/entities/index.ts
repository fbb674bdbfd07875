import { ArtifactEntity } from './artifact.entity.js';

/** One for each table of this module. */
export const uploadsEntities = [ArtifactEntity];
