import {
  column,
  execute,
  properties,
  statement,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { HINT_SECONDS } from '../domain/schedule.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { EventEntity, WebhookDeliveryEntity, WebhookEndpointEntity } from './entities.js';

export const deliveryStatuses = ['PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELLED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type LoggedDelivery = Rows<typeof FIND>;

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

const COLUMNS = `d.id, d.event_id AS "eventId", e.type AS "eventType", e.sequence, d.endpoint_id AS "endpointId", d.status,
  d.attempts, d.last_status_code AS "lastStatusCode", d.last_error AS "lastError",
  CASE WHEN d.status = 'PENDING' THEN d.due_at END AS "nextAttemptAt", d.created_at AS "createdAt",
  d.finished_at AS "finishedAt"`;
const IS_IN_SCOPE = `w.organisation_id = $1 AND ($2::uuid IS NULL OR w.client_app_id = $2)`;

const LOGGED = {
  ...properties(
    WebhookDeliveryEntity,
    'id',
    'eventId',
    'endpointId',
    'status',
    'attempts',
    'lastStatusCode',
    'lastError',
  ),
  ...properties(WebhookDeliveryEntity, 'createdAt', 'finishedAt'),
  ...properties(EventEntity, 'sequence'),
  eventType: column(EventEntity, 'type'),
  /** The time of the next attempt; null unless the delivery is PENDING. */
  nextAttemptAt: 'timestamptz | null',
} as const;

const PAGE = statement(
  'webhooks.delivery-page',
  `
      SELECT ${COLUMNS} FROM webhook_endpoints w
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries x
        WHERE x.endpoint_id = w.id AND ($4::uuid IS NULL OR x.id < $4) AND ($5::uuid IS NULL OR x.id = time_ordered_uuid($5, w.id))
          AND ($6::text IS NULL OR x.status = $6)
          AND ($8::text IS DISTINCT FROM 'FAILED' OR (x.finished_at IS NOT NULL AND x.last_error IS NOT NULL))
          AND ($8::text IS DISTINCT FROM 'UNFINISHED' OR x.finished_at IS NULL)
        ORDER BY x.id DESC LIMIT $7) AS d
      JOIN events e ON e.id = d.event_id
      WHERE ${IS_IN_SCOPE} AND ($3::uuid IS NULL OR w.id = $3) ORDER BY d.id DESC LIMIT $7`,
  LOGGED,
);

const FIND = statement(
  'webhooks.find-delivery',
  `SELECT ${COLUMNS} FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
      JOIN events e ON e.id = d.event_id WHERE ${IS_IN_SCOPE} AND d.id = $3`,
  LOGGED,
);

const RETRY = statement(
  'webhooks.retry',
  `
      WITH found AS (
        SELECT d.id, d.status, w.status AS endpoint FROM webhook_deliveries d
        JOIN webhook_endpoints w ON w.id = d.endpoint_id WHERE ${IS_IN_SCOPE} AND d.id = $3 FOR UPDATE OF d),
      retried AS (
        UPDATE webhook_deliveries d SET status = 'PENDING', base_attempts = attempts, rounds = rounds + 1, due_at = now(),
          wake_at = now() + make_interval(secs => $4), finished_at = NULL
        FROM found f WHERE d.id = f.id AND f.status <> 'SENDING' AND f.endpoint <> 'DISABLED' RETURNING d.id)
      SELECT f.status, f.endpoint AS "endpointStatus", EXISTS (SELECT FROM retried) AS retried FROM found f`,
  {
    ...properties(WebhookDeliveryEntity, 'status'),
    endpointStatus: column(WebhookEndpointEntity, 'status'),
    retried: 'boolean',
  },
);

/** The partial index that serves each status. No index contains `status` itself, so that a claim stays a HOT update. */
const INDEX_OF_STATUS = {
  PENDING: 'UNFINISHED',
  SENDING: 'UNFINISHED',
  DELIVERED: null,
  EXHAUSTED: 'FAILED',
  CANCELLED: 'FAILED',
} as const satisfies Record<DeliveryStatus, string | null>;

/** Deliveries, the newest first. Read per endpoint, so that each part is an ordered index scan. */
export const deliveryPage = (
  db: Reader,
  { organisationId, clientAppId }: EndpointScope,
  { endpointId, eventId, status }: DeliveryFilter,
  before: string | null,
  limit: number,
): Promise<LoggedDelivery[]> =>
  execute(db, PAGE, [
    organisationId,
    clientAppId,
    endpointId,
    before,
    eventId,
    status,
    limit,
    status === undefined ? null : INDEX_OF_STATUS[status],
  ]);

export async function findDelivery(
  db: Reader,
  { organisationId, clientAppId }: EndpointScope,
  id: string,
): Promise<LoggedDelivery | null> {
  const [row] = await execute(db, FIND, [organisationId, clientAppId, id]);
  return row ?? null;
}

/**
 * Makes a delivery due now, and restarts its retry schedule. Changes nothing while it is being sent or its
 * endpoint is disabled. Null if the delivery does not exist.
 */
export async function retryDelivery(
  tx: Tx,
  { organisationId, clientAppId }: EndpointScope,
  id: string,
): Promise<Rows<typeof RETRY> | null> {
  const [row] = await execute(tx, RETRY, [organisationId, clientAppId, id, HINT_SECONDS]);
  return row ?? null;
}
