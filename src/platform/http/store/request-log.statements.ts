import { execute, sqlArray, statement, type Tx } from '../../database/index.js';
import type { RequestLogEntity } from './entities/request-log.entity.js';

export type LoggedRequest = Readonly<RequestLogEntity>;

/** The most requests of each application that one statement deletes. */
export const SWEPT_AT_ONCE = 5_000;

// Commits without waiting for the disk: a crash may lose the last second of the log, which is worth less than the wait.
const INSERT = statement(
  'http.log-requests',
  `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO request_log (id, organisation_id, client_app_id, request_id, correlation_id, method, route, status, code,
    duration_ms, bytes_in, fields, faults)
  SELECT s.* FROM relaxed, unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::smallint[], $9::text[], $10::real[], $11::int[], $12::text[], $13::text[]) AS s
  ON CONFLICT DO NOTHING`,
);

// The recursive part finds each application with one look-up in the index, without a scan of the table.
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
export function logging(rows: readonly LoggedRequest[]): [typeof INSERT, unknown[]] {
  const { plain, text, uuids } = sqlArray;
  return [
    INSERT,
    [
      uuids(rows.map(({ id }) => id)),
      uuids(rows.map(({ organisationId }) => organisationId)),
      uuids(rows.map(({ clientAppId }) => clientAppId)),
      text(rows.map(({ requestId }) => requestId)),
      text(rows.map(({ correlationId }) => correlationId)),
      text(rows.map(({ method }) => method)),
      text(rows.map(({ route }) => route)),
      plain(rows.map(({ status }) => status)),
      text(rows.map(({ code }) => code)),
      plain(rows.map(({ durationMs }) => durationMs)),
      plain(rows.map(({ bytesIn }) => bytesIn)),
      text(rows.map(({ fields }) => fields)),
      text(rows.map(({ faults }) => faults)),
    ],
  ];
}

/** Deletes requests with an id below `before` and returns their number. */
export async function forgetRequests(tx: Tx, before: string): Promise<number> {
  const [row] = await execute(tx, DELETE, [before]);
  return row?.gone ?? 0;
}
