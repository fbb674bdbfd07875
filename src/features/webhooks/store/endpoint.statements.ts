import { In, IsNull, type FindOptionsWhere, type QueryDeepPartialEntity } from 'typeorm';
import { execute, statement, type Tx } from '../../../platform/database/index.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { WebhookEndpointEntity, type EndpointStatus } from './entities.js';

export type WebhookEndpoint = Omit<WebhookEndpointEntity, 'sealedSecret' | 'olderSealedSecrets'>;

// Maximum number of deliveries woken together: a fast endpoint receives as many in 30 s. The reconciler wakes the rest.
export const WOKEN_AT_ONCE = 5_000;

const WAKE = statement(
  'webhooks.wake-endpoint',
  `UPDATE webhook_deliveries SET wake_at = now() WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = $1 AND finished_at IS NULL AND status = 'PENDING' AND due_at <= now() AND wake_at > now()
      LIMIT ${WOKEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

/** Resumed endpoint: makes its due deliveries ready to be announced again now, up to WOKEN_AT_ONCE. */
export const wakeEndpoint = (tx: Tx, id: string): Promise<unknown> => execute(tx, WAKE, [id]);

/** The endpoints that a caller may see. Soft-deleted endpoints stay for their deliveries and never match. */
export const ownEndpoints = ({
  organisationId,
  clientAppId,
}: EndpointScope): FindOptionsWhere<WebhookEndpointEntity> => ({
  organisationId,
  ...(clientAppId === undefined ? {} : { clientAppId }),
  deletedAt: IsNull(),
});

/** Changes an endpoint whose state is one of `from`; null if it has another state or is not in the scope. */
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
