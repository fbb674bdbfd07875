// Owns the connection, transactions and migrations. Promises that every write has a Tx, that a Tx commits whole or not
// at all, and that no statement reaches rows of another organisation.
export { DatabaseModule } from './database.module.js';
export {
  UnitOfWork,
  afterCommit,
  beforeCommit,
  joinTransactions,
  onceChecked,
  type Reader,
  type Tx,
} from './work/unit-of-work.js';
export { ConnectionWatch } from './connection/connection-watch.service.js';
export { PROCESS_NAME } from './connection/session-settings.js';
export { noOrganisation, system, type DatabaseScope } from './connection/scope.js';
export { systemWork } from './connection/system-work.js';
export { isMigrated } from './migrated.js';
export { composite, idsClause, selectIds, isIn, type Clause, type RowsOf } from './statements/composite.js';
export { copyOut, type CopiedRows } from './statements/copy-out.js';
export { newestFirst } from './statements/newest-first.js';
export { execute, sqlArray } from './statements/sql.js';
export { raiseStatementTimeout, lockRow, waitForLock, tryLock } from './store/lock.statements.js';
export { askedOfServer, shownByServer } from './store/server.statements.js';
export { CommitMarks, type QuietCheck } from './work/commit-marks.js';
export { retry } from './work/retry.js';
export {
  isDatabaseUnavailable,
  isLostRace,
  isRetryableOrTaken,
  isTooExpensive,
  OutcomeUnknownError,
  sqlStateOf,
} from './work/database-errors.js';
export {
  column,
  columns,
  narrowColumn,
  nullable,
  prepared,
  notNullColumn,
  properties,
  selectColumns,
  statementForms,
  selectColumnsExcept,
  statement,
  value,
  type RowOf,
  type RowShape,
  type Rows,
  type Statement,
} from './statements/statements.js';
export { unnested } from './statements/unnested.js';
