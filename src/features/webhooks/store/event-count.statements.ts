import {
  execute,
  properties,
  sqlArray,
  statement,
  type Reader,
  type Rows,
} from '../../../platform/database/index.js';
import { WebhookDeliveryEntity } from './entities.js';

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

const ENDED = `d.status IN ('DELIVERED', 'EXHAUSTED', 'CANCELLED')`;
// A pruned entry counts too: its leaf stays in the log.
const UNRECORDED = `NOT EXISTS (SELECT FROM audit_entries a WHERE a.organisation_id = $1 AND a.subject_type = 'delivery'
    AND a.subject_id = d.id::text)
  AND NOT EXISTS (SELECT FROM audit_leaves l WHERE l.organisation_id = $1 AND l.subject_type = 'delivery'
    AND l.subject_id = d.id::text)`;

const PAGE_OF_ENDED = statement(
  'webhooks.unrecorded-ends-page',
  `WITH page AS (SELECT d.id, d.status FROM webhook_endpoints w CROSS JOIN LATERAL (
       SELECT x.id, x.status FROM webhook_deliveries x WHERE x.endpoint_id = w.id AND x.id > $2 ORDER BY x.id LIMIT $3) d
     WHERE w.organisation_id = $1 ORDER BY d.id LIMIT $3)
   SELECT d.id, ${ENDED} AND ${UNRECORDED} AS unrecorded FROM page d ORDER BY d.id`,
  { ...properties(WebhookDeliveryEntity, 'id'), unrecorded: 'boolean' },
);

const ENDED_OF = statement(
  'webhooks.unrecorded-ends',
  `SELECT d.id, ${ENDED} AND ${UNRECORDED} AS unrecorded FROM webhook_deliveries d
   WHERE d.id = ANY($2::uuid[]) AND d.organisation_id = $1`,
  { ...properties(WebhookDeliveryEntity, 'id'), unrecorded: 'boolean' },
);

/** Deliveries in order of their ids; `unrecorded` is true for one that has ended without an entry that says so. */
export const readEndedDeliveries = (
  db: Reader,
  organisationId: string,
  which: { readonly ids: readonly string[] } | { readonly after: string; readonly limit: number },
): Promise<Rows<typeof ENDED_OF>[]> =>
  'ids' in which
    ? execute(db, ENDED_OF, [organisationId, sqlArray.plain(which.ids)])
    : execute(db, PAGE_OF_ENDED, [organisationId, which.after, which.limit]);
