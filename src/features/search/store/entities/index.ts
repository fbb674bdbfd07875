import { NameChangeEntity } from './name-change.entity.js';
import { NameKeyEntity } from './name-key.entity.js';
import { NameWordEntity } from './name-word.entity.js';

/** The entities of this module, one per table. */
export const searchEntities = [NameChangeEntity, NameKeyEntity, NameWordEntity];
