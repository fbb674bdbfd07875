import { execute, selectColumns, statement, unnested, type Reader, type Tx } from '../../database/index.js';
import { instantOfUuid } from '../../kernel/index.js';
import { RequestLogEntity } from './entities.js';

/** A row of the log. */
export type RequestBundle = Readonly<RequestLogEntity>;

/** One request, as it is logged and as it is read. Similar requests of one second share a row (`RequestBundle`). */
export interface LoggedRequest extends Omit<RequestBundle, 'second' | 'ids' | 'durationsMs' | 'bytesIn'> {
  readonly durationMs: number;
  readonly bytesIn: number | null;
}

const SECOND_MS = 1_000;

/** Returns the whole second in which a request began. */
export const secondOf = (id: string): Date =>
  new Date(Math.floor(instantOfUuid(id).getTime() / SECOND_MS) * SECOND_MS);

/** Maximum number of rows of each application that one statement deletes. */
export const SWEPT_AT_ONCE = 5_000;

const REQUESTS = unnested<RequestBundle>(
  { uuid: ['id', 'organisationId', 'clientAppId'] },
  { text: ['requestId', 'correlationId', 'method', 'route'], smallint: ['status'] },
  { text: ['code', 'fields', 'faults'], timestamptz: ['second'] },
  {
    codes: {
      ids: 'ids',
      durationsMs: ({ durationsMs }) => durationsMs.map(String),
      bytesIn: ({ bytesIn }) => bytesIn.map((bytes) => String(bytes)),
    },
  },
);

const LIST_TYPES = { ids: 'uuid', durations_ms: 'real', bytes_in: 'integer' } as const;
const SELECT_LIST = REQUESTS.columns
  .split(', ')
  .map((name) =>
    name in LIST_TYPES
      ? `string_to_array(s.${name}, ',', 'null')::${LIST_TYPES[name as keyof typeof LIST_TYPES]}[]`
      : `s.${name}`,
  )
  .join(', ');

// Commits without waiting for the disk: a crash may lose the last second of the log, which is worth less than the wait.
const INSERT = statement(
  'http.log-requests',
  `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO request_log (${REQUESTS.columns}) SELECT ${SELECT_LIST} FROM relaxed, ${REQUESTS.from()}
  ON CONFLICT DO NOTHING`,
);

const SHARED_COLUMNS = selectColumns(
  RequestLogEntity,
  'r',
  ...(['organisationId', 'clientAppId', 'requestId', 'correlationId', 'method', 'route', 'status'] as const),
  ...(['code', 'fields', 'faults'] as const),
);

// Sorted by second and then by id, the requests of all rows are in the order of their ids. The index has the rows by
// second, so a page reads no second beyond its last request. The statement is planned for its values, so that a filter
// that is null costs nothing.
const PAGE = statement(
  'http.page-of-requests',
  `SELECT q.id, q.duration_ms AS "durationMs", q.bytes_in AS "bytesIn", ${SHARED_COLUMNS.sql}
  FROM request_log r
    CROSS JOIN LATERAL unnest(r.ids, r.durations_ms, r.bytes_in) AS q (id, duration_ms, bytes_in)
  WHERE r.client_app_id = $1 AND r.organisation_id = $2
    AND ($3::uuid IS NULL OR (r.second <= $4::timestamptz AND q.id < $3))
    AND ($5::uuid IS NULL OR (r.second >= $6::timestamptz AND q.id >= $5))
    AND ($7::text IS NULL OR r.request_id = $7 OR r.second = $9::timestamptz)
    AND ($7::text IS NULL OR r.request_id = $7 OR q.id = $8::uuid)
    AND ($10::text IS NULL OR r.route = $10)
    AND ($11::smallint IS NULL OR r.status = $11)
    AND ($12::text IS NULL OR r.code = $12)
  ORDER BY r.second DESC, q.id DESC LIMIT $13`,
  { id: 'uuid', durationMs: 'real', bytesIn: 'integer | null', ...SHARED_COLUMNS.shape },
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
       SELECT client_app_id, second, id, organisation_id FROM request_log
       WHERE client_app_id = a.app AND second < $1 ORDER BY second LIMIT ${SWEPT_AT_ONCE}) o),
   gone AS (
     DELETE FROM request_log WHERE (client_app_id, second, id, organisation_id) IN (SELECT * FROM old) RETURNING 1)
   SELECT count(*)::int AS gone FROM gone`,
  { gone: 'integer' },
);

/** Returns the statement that stores these requests, and its values. */
export const insertRequests = (rows: readonly RequestBundle[]): [typeof INSERT, unknown[]] => [
  INSERT,
  REQUESTS.arrays(rows),
];

/** Selects the requests of an application that a page shows; a filter that is null does not apply. */
export interface RequestSelection {
  readonly organisationId: string;
  readonly clientAppId: string;
  /** Ids below this one. */
  readonly below: string | null;
  /** This id and those above it. */
  readonly least: string | null;
  readonly requestId: string | null;
  /** The id in `requestId`, if the service made it. */
  readonly ownId: string | null;
  readonly route: string | null;
  readonly status: number | null;
  readonly code: string | null;
}

/** Returns up to `limit` requests, the newest first. */
export const readRequests = (
  db: Reader,
  { organisationId, clientAppId, below, least, requestId, ownId, route, status, code }: RequestSelection,
  limit: number,
): Promise<LoggedRequest[]> =>
  execute(db, PAGE, [
    ...[clientAppId, organisationId],
    ...[below, below && secondOf(below), least, least && secondOf(least)],
    ...[requestId, ownId, ownId && secondOf(ownId)],
    ...[route, status, code, limit],
  ]);

/** Deletes the rows of the seconds before a moment and returns their number. */
export async function forgetRequests(tx: Tx, before: Date): Promise<number> {
  const [row] = await execute(tx, DELETE, [before]);
  return row?.gone ?? 0;
}
