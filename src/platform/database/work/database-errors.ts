// The SQLSTATE that the triggers of the schema raise.
const RESTRICT_VIOLATION = '23001';

interface PostgresError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
}

const rootOf = (error: unknown): PostgresError => {
  const outer = (typeof error === 'object' && error !== null ? error : {}) as PostgresError;
  return typeof outer.driverError === 'object' && outer.driverError !== null ? outer.driverError : outer;
};

/** The SQLSTATE (or Node.js error code) of a database error, if it has one. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = rootOf(error);
  return typeof code === 'string' ? code : undefined;
}

/**
 * True if the work can run again: serialisation failure, deadlock, lost race, concurrent append to an audit chain. Also
 * if a trigger has refused what the work had checked: somebody may have changed what the check read, so the work checks
 * again and then says why.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return (
    state === '40001' ||
    state === '40P01' ||
    state === RESTRICT_VIOLATION ||
    (state === '23505' && rootOf(error).constraint === 'audit_entries_pkey') ||
    isLostRace(error)
  );
}

/**
 * True if a constraint whose name ends in `_race` was violated: another transaction has changed rows that the work
 * read before, so the work must read them again.
 */
export function isLostRace(error: unknown): boolean {
  const state = sqlStateOf(error);
  const { constraint } = rootOf(error);
  return (
    (state === '23505' || state === '23503') && typeof constraint === 'string' && constraint.endsWith('_race')
  );
}

/** True for a retryable error, or if another row took the same unique key meanwhile. */
export const isRetryableOrTaken = (error: unknown): boolean =>
  sqlStateOf(error) === '23505' || isRetryable(error);

/**
 * Thrown if the connection is lost after a COMMIT was sent, so that its outcome is unknown. The caller can send the
 * request again, because every write may be repeated.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('whether the commit took place is not known', { cause });
    this.code = sqlStateOf(cause);
  }
}

// With these codes the server did not begin the work, or has rolled it back.
const NOTHING_WAS_DONE = /^(53|25006|25P03|57P03|ECONNREFUSED$)/;
const NOTHING_WAS_SENT =
  /not queryable|already released|cannot use a pool|timeout exceeded when trying to connect/i;

/** Returns an OutcomeUnknownError if the failed commit may have taken place, else the error itself. */
export function commitFailure(error: unknown): unknown {
  if (!isDatabaseUnavailable(error) || error instanceof OutcomeUnknownError) return error;
  const { message } = rootOf(error);
  const certain =
    NOTHING_WAS_DONE.test(sqlStateOf(error) ?? '') ||
    (typeof message === 'string' && NOTHING_WAS_SENT.test(message));
  return certain ? error : new OutcomeUnknownError(error);
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
// 08 connection, 53 resources (too many connections, disk full), 57P0x shutdown, 25006 read only after a failover
const UNAVAILABLE_STATES = /^(08|53|57P0|25006|57014|25P03)/;
// pg and TypeORM report these without a code. The last is the error of a statement whose connection ended before it.
const UNAVAILABLE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|cannot use a pool|Connection is not established|not queryable|already released/i;

/** True when the database cannot be reached or cannot accept writes now; the caller may try again later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return NETWORK_CODES.has(state) || UNAVAILABLE_STATES.test(state);
  const { message } = rootOf(error);
  return typeof message === 'string' && UNAVAILABLE_MESSAGES.test(message);
}

/** True if the statement itself may be too expensive: it exceeded the timeout or the memory of the server. */
export const isTooExpensive = (error: unknown): boolean => /^(57014|53200)$/.test(sqlStateOf(error) ?? '');
