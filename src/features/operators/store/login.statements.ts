import {
  execute,
  properties,
  statement,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { LoginThrottleEntity } from './entities.js';

const READ_DELAYS = statement(
  'operators.throttle-waits',
  `SELECT key, greatest(0, extract(epoch FROM blocked_until - now()))::float8 AS wait
   FROM operator_login_throttles WHERE key = ANY ($1)`,
  { ...properties(LoginThrottleEntity, 'key'), wait: 'float8' },
);

const COUNT_FAILURE = statement(
  'operators.count-failure',
  `INSERT INTO operator_login_throttles AS t (key, failures, last_failure_at, blocked_until)
   VALUES ($1, 1, now(), now())
   ON CONFLICT (key) DO UPDATE SET
     failures = CASE WHEN t.last_failure_at < now() - make_interval(secs => $2) THEN 1 ELSE t.failures + 1 END,
     last_failure_at = now()
   RETURNING failures`,
  properties(LoginThrottleEntity, 'failures'),
);

// A concurrent attempt gets no row instead of waiting for the lock: waiting attempts could use all connections.
const COUNT_ATTEMPT = statement(
  'operators.count-turn',
  `INSERT INTO operator_login_throttles AS t (key, failures, last_failure_at, blocked_until)
   SELECT $1, 1, now(), now()
   WHERE pg_try_advisory_xact_lock(('x' || left(encode($1, 'hex'), 16))::bit(64)::bigint)
   ON CONFLICT (key) DO UPDATE SET
     failures = CASE WHEN t.last_failure_at < now() - make_interval(secs => $2) THEN 1 ELSE t.failures + 1 END,
     last_failure_at = now()
   WHERE t.blocked_until <= now()
   RETURNING failures`,
  properties(LoginThrottleEntity, 'failures'),
);

/** Ended sessions are kept for 30 days, for questions about an account's use; the audit trail keeps all logins. */
export const REMOVE_OLD_SESSIONS = statement(
  'operators.remove-old-sessions',
  `DELETE FROM operator_sessions WHERE id IN (
     SELECT id FROM operator_sessions WHERE expires_at < now() - interval '30 days' LIMIT 5000)`,
);

/** The remaining delay of each counter in seconds; omits counters that are not stored. */
export const readThrottleDelays = (
  db: Reader,
  keys: readonly Buffer[],
): Promise<Rows<typeof READ_DELAYS>[]> => execute(db, READ_DELAYS, [keys]);

/** Counts a failure and returns the count, which restarts after `forgetSeconds` without a failure. */
export async function countFailure(tx: Tx, key: Buffer, forgetSeconds: number): Promise<number> {
  const [row] = await execute(tx, COUNT_FAILURE, [key, forgetSeconds]);
  if (!row) throw new Error('a failed login was not counted');
  return row.failures;
}

/** Counts an attempt before it is checked and returns the count; null while the counter is locked. */
export async function countAttempt(tx: Tx, key: Buffer, forgetSeconds: number): Promise<number | null> {
  const [row] = await execute(tx, COUNT_ATTEMPT, [key, forgetSeconds]);
  return row?.failures ?? null;
}
