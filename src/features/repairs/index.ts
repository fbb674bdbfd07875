// Owns the approvals by which two people repair a trail or let a restored log go on. Promises that nobody does either alone.
export { RepairsModule } from './repairs.module.js';
