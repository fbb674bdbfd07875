// Owns the connection, transactions and migrations. Promises that every write has a Tx and that a Tx is all or nothing.
export { DatabaseModule } from './database.module.js';
export { UnitOfWork, afterCommit, beforeCommit, joinTransactions, type Tx } from './unit-of-work.js';
export { composite, type Clause, type Composite } from './composite.js';
export { execute, sqlArray, type Statement } from './sql.js';
export { isDatabaseAway, isRetryable, sqlStateOf } from './database-errors.js';
