import { NameChangeEntity } from './name-change.entity.js';
import { NameKeyEntity } from './name-key.entity.js';
import { NameWordEntity } from './name-word.entity.js';

export const searchEntities = [NameChangeEntity, NameKeyEntity, NameWordEntity];
