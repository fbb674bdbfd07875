// Owns the pages of the operator console. Promises that every address below /console serves the same program, that its
// policy allows only its own scripts and calls to this service, and that it contains no data: the operator API provides
// them.
export { ConsoleModule } from './console.module.js';
