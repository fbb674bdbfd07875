// Owns the answers for the screens of operators: one per screen, the stream of changes, many cases in one call. Promises a
// number of statements that does not grow with the rows, and nothing that its reader may not see.
export { WorkspaceModule } from './workspace.module.js';
