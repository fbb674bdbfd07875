import {
  execute,
  properties,
  statement,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { LoginThrottleEntity } from './entities/login-throttle.entity.js';

const WAITS = statement(
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

// Nobody waits for a turn that somebody else is taking: hundreds at once would hold all connections.
const COUNT_TURN = statement(
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

/**
 * An ended session stays for a month, in case somebody asks when an account was used; the trail keeps it for good.
 */
export const REMOVE_OLD_SESSIONS = statement(
  'operators.remove-old-sessions',
  `DELETE FROM operator_sessions WHERE id IN (
     SELECT id FROM operator_sessions WHERE expires_at < now() - interval '30 days' LIMIT 5000)`,
);

/** Seconds that each counter still has to wait; a counter that is not stored is left out. */
export const throttleWaits = (db: Reader, keys: readonly Buffer[]): Promise<Rows<typeof WAITS>[]> =>
  execute(db, WAITS, [keys]);

/** Counts one failure and returns how many there are now; the count begins again after `forgetSeconds` without one. */
export async function countFailure(tx: Tx, key: Buffer, forgetSeconds: number): Promise<number> {
  const [row] = await execute(tx, COUNT_FAILURE, [key, forgetSeconds]);
  if (!row) throw new Error('a failed login was not counted');
  return row.failures;
}

/** Counts a turn before it is judged and returns how many there are now; null when an earlier one still has to be waited for. */
export async function countTurn(tx: Tx, key: Buffer, forgetSeconds: number): Promise<number | null> {
  const [row] = await execute(tx, COUNT_TURN, [key, forgetSeconds]);
  return row?.failures ?? null;
}
