import { execute, statement, type Reader, type Rows, type Tx } from '../../../platform/database/index.js';

const KEPT_DAYS = 30;
export const MAX_FORGOTTEN_ANSWERS = 5_000;
/** Maximum number of newest attempts over which percentiles are computed. */
export const MAX_TIMED_ATTEMPTS = 10_000;

const FORGET = statement(
  'webhooks.forget-answers',
  `WITH forgotten AS (
     UPDATE webhook_attempts SET response_excerpt = NULL
     WHERE (delivery_id, attempt) IN (
       SELECT delivery_id, attempt FROM webhook_attempts
       WHERE response_excerpt IS NOT NULL AND started_at < now() - make_interval(days => ${KEPT_DAYS})
       ORDER BY started_at LIMIT ${MAX_FORGOTTEN_ANSWERS})
     RETURNING 1)
   SELECT count(*)::int AS forgotten FROM forgotten`,
  { forgotten: 'integer' },
);

const DURATIONS = statement(
  'webhooks.attempt-durations',
  `SELECT count(*)::int AS attempts, percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS p50,
     percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95,
     percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ms) AS p99
   FROM (SELECT a.duration_ms FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
         WHERE d.endpoint_id = $1 AND a.started_at > now() - make_interval(hours => $2)
         ORDER BY d.id DESC LIMIT ${MAX_TIMED_ATTEMPTS}) newest`,
  { attempts: 'integer', p50: 'integer | null', p95: 'integer | null', p99: 'integer | null' },
);

/** Deletes up to MAX_FORGOTTEN_ANSWERS response excerpts that are older than 30 days; returns how many. */
export async function deleteOldExcerpts(tx: Tx): Promise<number> {
  const [row] = await execute(tx, FORGET, []);
  return row?.forgotten ?? 0;
}

/** Percentiles of the durations (ms) of the newest attempts in the last `hours`; null if there were none. */
export async function readDurations(
  db: Reader,
  endpointId: string,
  hours: number,
): Promise<Rows<typeof DURATIONS>> {
  const [row] = await execute(db, DURATIONS, [endpointId, hours]);
  if (!row) throw new Error('a count returned no row');
  return row;
}
