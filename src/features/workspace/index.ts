// Owns the data of the operators' screens: one response per screen, the stream of changes, bulk decisions. Promises that
// the number of statements does not grow with the rows, and that operators get only data that they may see.
export { WorkspaceModule } from './workspace.module.js';
