import { execute, statement, unnested, type Tx } from '../../database/index.js';
import type { RequestLogEntity } from './entities/request-log.entity.js';

export type LoggedRequest = Readonly<RequestLogEntity>;

/** Maximum number of requests of each application that one statement deletes. */
export const SWEPT_AT_ONCE = 5_000;

const REQUESTS = unnested<LoggedRequest>(
  { uuid: ['id', 'organisationId', 'clientAppId'] },
  { text: ['requestId', 'correlationId', 'method', 'route'], smallint: ['status'] },
  { text: ['code'], real: ['durationMs'], int: ['bytesIn'] },
  { text: ['fields', 'faults'] },
);

// Commits without waiting for the disk: a crash may lose the last second of the log, which is worth less than the wait.
const INSERT = statement(
  'http.log-requests',
  `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO request_log (${REQUESTS.columns}) SELECT s.* FROM relaxed, ${REQUESTS.from()}
  ON CONFLICT DO NOTHING`,
);

// The recursive part finds each application with one lookup in the index, without a scan of the table.
const DELETE = statement(
  'http.forget-requests',
  `WITH RECURSIVE apps AS (
     (SELECT client_app_id AS app FROM request_log ORDER BY client_app_id LIMIT 1)
     UNION ALL
     SELECT (SELECT client_app_id FROM request_log WHERE client_app_id > a.app ORDER BY client_app_id LIMIT 1)
     FROM apps a WHERE a.app IS NOT NULL),
   old AS (
     SELECT o.* FROM apps a CROSS JOIN LATERAL (
       SELECT client_app_id, id, organisation_id FROM request_log
       WHERE client_app_id = a.app AND id < $1 ORDER BY id LIMIT ${SWEPT_AT_ONCE}) o),
   gone AS (
     DELETE FROM request_log WHERE (client_app_id, id, organisation_id) IN (SELECT * FROM old) RETURNING 1)
   SELECT count(*)::int AS gone FROM gone`,
  { gone: 'integer' },
);

/** Returns the statement that stores these requests, and its values. */
export const insertRequests = (rows: readonly LoggedRequest[]): [typeof INSERT, unknown[]] => [
  INSERT,
  REQUESTS.arrays(rows),
];

/** Deletes requests with an id below `before` and returns their number. */
export async function forgetRequests(tx: Tx, before: string): Promise<number> {
  const [row] = await execute(tx, DELETE, [before]);
  return row?.gone ?? 0;
}
