// Owns periodic work. Promises that no task runs twice at a time in a process, and that none is cut off.
export { Periodic, type PeriodicOptions } from './periodic.js';
export { ScheduleModule } from './schedule.module.js';
