// Owns what the screens of operators read and do at once: one answer per screen, what changes, many cases in one call.
// Promises a number of statements that does not grow with the rows, and nothing that its reader may not see.
export { WorkspaceModule } from './workspace.module.js';
