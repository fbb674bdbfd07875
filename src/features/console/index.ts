// Owns the pages of the operator console. Promises one program for every address below /console, a policy under which it
// runs only its own scripts and calls only this service, and no data: its content comes from the operator API.
export { ConsoleModule } from './console.module.js';
