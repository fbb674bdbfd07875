// Owns the pages of the operator console. Promises that every address below /console serves the same program, that its
// policy allows only its own scripts and calls to this service, and that its data come from the operator API only.
export { ConsoleModule } from './console.module.js';
