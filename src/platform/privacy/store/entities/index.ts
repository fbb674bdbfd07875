import { IndexKeyEntity } from './index-key.entity.js';
import { KnownIndexEntity } from './known-index.entity.js';
import { SubjectKeyEntity } from './subject-key.entity.js';

export const privacyEntities = [IndexKeyEntity, KnownIndexEntity, SubjectKeyEntity];
