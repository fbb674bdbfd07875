import { IndexKeyEntity } from './index-key.entity.js';
import { KnownIndexEntity } from './known-index.entity.js';
import { SubjectKeyEntity } from './subject-key.entity.js';

/** The entities of this module, one per table. */
export const privacyEntities = [IndexKeyEntity, KnownIndexEntity, SubjectKeyEntity];
