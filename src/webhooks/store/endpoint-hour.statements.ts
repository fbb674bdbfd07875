import { execute, selected, statement, type Reader, type Rows } from '../../database/index.js';
import { WebhookEndpointHourEntity } from './entities/webhook-endpoint-hour.entity.js';

// More than this is "many" to whoever looks, and would take long to count.
export const MAX_COUNTED = 10_000;

const HOUR = selected(
  WebhookEndpointHourEntity,
  'h',
  'hour',
  'attempts',
  'delivered',
  'failedAttempts',
  'exhausted',
  'cancelled',
  'slowestMs',
);

const HOURS = statement(
  'webhooks.endpoint-hours',
  `SELECT ${HOUR.sql}, round(duration_ms::numeric / nullif(attempts, 0))::int AS "averageMs"
   FROM webhook_endpoint_hours h
   WHERE endpoint_id = $1 AND hour > now() - make_interval(hours => $2) ORDER BY hour DESC`,
  { ...HOUR.shape, averageMs: 'integer | null' },
);

/** The work of an endpoint in an hour, named by its beginning. */
export type EndpointHour = Rows<typeof HOURS>;

const BACKLOG = statement(
  'webhooks.endpoint-backlog',
  `SELECT count(*)::int AS waiting, min(created_at) AS since FROM (
     SELECT created_at FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL
     ORDER BY wake_at LIMIT ${MAX_COUNTED}) d`,
  { waiting: 'integer', since: 'timestamptz | null' },
);

/** The hours in which anything happened, the newest first. */
export const hoursOf = (db: Reader, endpointId: string, hours: number): Promise<EndpointHour[]> =>
  execute(db, HOURS, [endpointId, hours]);

/** The deliveries of an endpoint that have not ended, and since when the first of them waits. */
export async function backlogOf(db: Reader, endpointId: string): Promise<Rows<typeof BACKLOG>> {
  const [row] = await execute(db, BACKLOG, [endpointId]);
  if (!row) throw new Error('a count returned no row');
  return row;
}
