import { IndexKeyEntity } from './index-key.entity.js';
import { KnownIndexEntity } from './known-index.entity.js';
import { SubjectKeyEntity } from './subject-key.entity.js';

/** One for each table of this module. */
export const privacyEntities = [IndexKeyEntity, KnownIndexEntity, SubjectKeyEntity];
