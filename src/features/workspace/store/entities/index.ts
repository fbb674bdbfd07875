import { SavedViewEntity } from './saved-view.entity.js';

/** The entities of this module, one per table. */
export const workspaceEntities = [SavedViewEntity];
