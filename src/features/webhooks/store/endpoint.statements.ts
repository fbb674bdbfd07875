import { In, IsNull, type FindOptionsWhere, type QueryDeepPartialEntity } from 'typeorm';
import { execute, statement, type Tx } from '../../../platform/database/index.js';
import type { EndpointScope } from '../endpoints/endpoint-trail.js';
import { WebhookEndpointEntity, type EndpointStatus } from './entities/webhook-endpoint.entity.js';

/** An endpoint without its secrets. */
export type WebhookEndpoint = Omit<WebhookEndpointEntity, 'sealedSecret' | 'olderSealedSecrets'>;

// As many as a fast endpoint is sent in half a minute, the time until an announcement is repeated anyway.
export const WOKEN_AT_ONCE = 5_000;

const WAKE = statement(
  'webhooks.wake-endpoint',
  `UPDATE webhook_deliveries SET wake_at = now() WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = $1 AND finished_at IS NULL AND status = 'PENDING' AND due_at <= now() AND wake_at > now()
      LIMIT ${WOKEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

/** Announces again the deliveries that an endpoint could not take; older ones are announced anyway. */
export const wakeEndpoint = (tx: Tx, id: string): Promise<unknown> => execute(tx, WAKE, [id]);

/** Selects the endpoints of a caller. Removed endpoints are kept for their deliveries and are never found. */
export const ownEndpoints = ({
  organisationId,
  clientAppId,
}: EndpointScope): FindOptionsWhere<WebhookEndpointEntity> => ({
  organisationId,
  ...(clientAppId === undefined ? {} : { clientAppId }),
  deletedAt: IsNull(),
});

/** Changes an endpoint in one of the states `from`; null when it is in another state or not the caller's. */
export async function changeEndpoint(
  tx: Tx,
  scope: EndpointScope,
  id: string,
  change: QueryDeepPartialEntity<WebhookEndpointEntity>,
  from?: readonly EndpointStatus[],
): Promise<WebhookEndpoint | null> {
  const where = { ...ownEndpoints(scope), id };
  const { affected } = await tx.update(
    WebhookEndpointEntity,
    { ...where, ...(from ? { status: In(from) } : {}) },
    { ...change, updatedAt: () => 'now()' },
  );
  return affected === 1 ? tx.findOneBy(WebhookEndpointEntity, where) : null;
}
