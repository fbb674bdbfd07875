// Owns periodic tasks. Promises that no task overlaps with itself in a process, and that a shutdown cuts off none.
export { Periodic } from './periodic.js';
export { ScheduleModule } from './schedule.module.js';
