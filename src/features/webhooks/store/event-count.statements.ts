import { execute, sqlArray, statement, type Reader } from '../../../platform/database/index.js';

const COUNTS = statement(
  'webhooks.event-counts',
  `SELECT resource_id::text AS resource, count(*)::int AS events FROM events
   WHERE resource_id = ANY($1::uuid[]) AND organisation_id = $2 GROUP BY resource_id`,
  { resource: 'text', events: 'integer' },
);

/** Counts the events about each resource, keyed by its id; omits resources without events. */
export async function countEvents(
  db: Reader,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await execute(db, COUNTS, [sqlArray.plain(ids), organisationId]);
  return new Map(rows.map(({ resource, events }) => [resource, events]));
}

// Reads only the newest 1,000 deliveries of each endpoint.
const FIND_NEWEST_DELIVERED = statement(
  'webhooks.newest-delivered',
  `SELECT max(e.created_at) AS at FROM webhook_endpoints w
   CROSS JOIN LATERAL (
     SELECT event_id FROM (SELECT id, event_id, status FROM webhook_deliveries x WHERE x.endpoint_id = w.id
                           ORDER BY x.id DESC LIMIT 1000) last
     WHERE status = 'DELIVERED' ORDER BY id DESC LIMIT 1) d
   JOIN events e ON e.id = d.event_id WHERE w.organisation_id = $1`,
  { at: 'timestamptz | null' },
);

/** The creation time of the newest event that any endpoint of the organisation has received. */
export async function findNewestDelivered(db: Reader, organisationId: string): Promise<Date | null> {
  const [row] = await execute(db, FIND_NEWEST_DELIVERED, [organisationId]);
  return row?.at ?? null;
}
