// Owns the approvals for repairing a trail and for restarting a restored log. Promises that nobody does either alone.
export { RepairsModule } from './repairs.module.js';
