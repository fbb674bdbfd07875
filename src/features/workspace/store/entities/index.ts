import { SavedViewEntity } from './saved-view.entity.js';

export const workspaceEntities = [SavedViewEntity];
