// Owns the connection, transactions and migrations. Promises that every write has a Tx, that a Tx is all or nothing, and
// that no statement reaches another organisation's rows.
export { DatabaseModule } from './database.module.js';
export {
  UnitOfWork,
  afterCommit,
  beforeCommit,
  joinTransactions,
  type Reader,
  type Tx,
} from './unit-of-work.js';
export { noOrganisation, system, type Scope } from './scope.js';
export { systemWork, type SystemReason } from './system-work.js';
export { migrationNames } from './migrations/index.js';
export { among, composite, type Clause, type Composite } from './composite.js';
export { copyOut, literal, type CopiedRows } from './copy-out.js';
export { execute, sqlArray, type Statement } from './sql.js';
export { releaseJob, takeWaitingJobs } from './leased-jobs.js';
export { again } from './again.js';
export { isDatabaseAway, isLostRace, isOvertaken, isRetryable, sqlStateOf } from './database-errors.js';
