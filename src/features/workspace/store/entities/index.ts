import { SavedViewEntity } from './saved-view.entity.js';

/** One for each table of this module. */
export const workspaceEntities = [SavedViewEntity];
