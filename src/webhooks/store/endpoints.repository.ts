import { Injectable } from '@nestjs/common';
import { execute, properties, statement, UnitOfWork, type RowOf, type Tx } from '../../database/index.js';
import { DomainError } from '../../kernel/index.js';
import type { EventType } from '../events.dto.js';
import type { EndpointScope } from '../endpoints/endpoint-trail.js';
import {
  WebhookEndpointEntity,
  type EndpointOrdering,
  type EndpointStatus,
} from './entities/webhook-endpoint.entity.js';

/** Everything about an endpoint but its secrets. */
export type EndpointRow = RowOf<typeof SHOWN_SHAPE>;

export interface EndpointWords {
  readonly url?: string;
  readonly eventTypes?: readonly EventType[];
  readonly ordering?: EndpointOrdering;
  readonly description?: string | null;
}

export interface EndpointFilter {
  readonly status?: EndpointStatus | undefined;
  readonly clientAppId?: string | undefined;
}

export type InsertedEndpoint = Readonly<
  Pick<
    WebhookEndpointEntity,
    'id' | 'organisationId' | 'clientAppId' | 'url' | 'ordering' | 'description' | 'sealedSecret'
  >
> & { readonly eventTypes: readonly EventType[] };

export interface SealedSecrets {
  readonly sealedSecret: Buffer;
  /** How long the present secret goes on signing beside the new one. */
  readonly overlapSeconds: number;
}

// Deliveries announced in vain in the last half minute are woken together: a fast endpoint is sent this many in that time.
export const WOKEN_AT_ONCE = 5_000;

const SHOWN = `id, organisation_id AS "organisationId", client_app_id AS "clientAppId", url, description,
  event_types AS "eventTypes", ordering, status, status_reason AS "statusReason", failing_since AS "failingSince",
  held_until AS "heldUntil", previous_secret_expires_at AS "previousSecretExpiresAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const OWN = `organisation_id = $1 AND ($2::uuid IS NULL OR client_app_id = $2) AND deleted_at IS NULL`;

const SHOWN_SHAPE = {
  ...properties(
    WebhookEndpointEntity,
    'id',
    'organisationId',
    'clientAppId',
    'url',
    'description',
    'eventTypes',
  ),
  ...properties(WebhookEndpointEntity, 'ordering', 'status', 'statusReason', 'failingSince', 'heldUntil'),
  ...properties(WebhookEndpointEntity, 'previousSecretExpiresAt', 'createdAt', 'updatedAt'),
};

const PAGE = statement(
  'webhooks.endpoint-page',
  `SELECT ${SHOWN} FROM webhook_endpoints
      WHERE ${OWN} AND ($3::uuid IS NULL OR id > $3) AND ($4::text IS NULL OR status = $4)
        AND ($5::uuid IS NULL OR client_app_id = $5)
      ORDER BY id LIMIT $6`,
  SHOWN_SHAPE,
);

const FIND = statement(
  'webhooks.find-endpoint',
  `SELECT ${SHOWN} FROM webhook_endpoints WHERE ${OWN} AND id = $3`,
  SHOWN_SHAPE,
);

const INSERT = statement(
  'webhooks.insert-endpoint',
  `INSERT INTO webhook_endpoints
        (id, organisation_id, client_app_id, url, event_types, ordering, description, sealed_secret)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
);

const CHANGE = statement(
  'webhooks.change-endpoint',
  `UPDATE webhook_endpoints
      SET url = coalesce($4, url), event_types = coalesce($5, event_types), ordering = coalesce($6, ordering),
          description = CASE WHEN $7 THEN $8 ELSE description END, updated_at = now()
      WHERE ${OWN} AND id = $3 RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
);

const MOVE = statement(
  'webhooks.move-endpoint',
  `UPDATE webhook_endpoints
      SET status = $5, status_reason = $6, updated_at = now(), failing_since = NULL, held_until = NULL
      WHERE ${OWN} AND id = $3 AND status = ANY ($4) RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
);

const TURN = statement(
  'webhooks.turn-endpoint',
  `UPDATE webhook_endpoints
      SET status = $2, status_reason = $3, updated_at = now(),
          failing_since = CASE WHEN $2 = 'ACTIVE' THEN NULL ELSE failing_since END, held_until = NULL
      WHERE id = $1 AND status <> $2 AND deleted_at IS NULL RETURNING organisation_id AS "organisationId"`,
  properties(WebhookEndpointEntity, 'organisationId'),
);

const WAKE = statement(
  'webhooks.wake-endpoint',
  `UPDATE webhook_deliveries SET wake_at = now() WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = $1 AND finished_at IS NULL AND status = 'PENDING' AND due_at <= now() AND wake_at > now()
      LIMIT ${WOKEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

const REMOVE = statement(
  'webhooks.remove-endpoint',
  `UPDATE webhook_endpoints
      SET status = 'DISABLED', status_reason = 'REMOVED', deleted_at = now(), updated_at = now()
      WHERE ${OWN} AND id = $3 RETURNING id`,
  properties(WebhookEndpointEntity, 'id'),
);

const ROTATE = statement(
  'webhooks.rotate-secret',
  `UPDATE webhook_endpoints
      SET previous_sealed_secret = CASE WHEN $5::float8 > 0 THEN sealed_secret END,
          previous_secret_expires_at = CASE WHEN $5::float8 > 0 THEN $6::timestamptz + make_interval(secs => $5) END,
          sealed_secret = $4, updated_at = now()
      WHERE ${OWN} AND id = $3 RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
);

const whose = ({ organisationId, clientAppId }: EndpointScope): unknown[] => [
  organisationId,
  clientAppId ?? null,
];

/** The statements over endpoints. Removed ones are kept for their deliveries and found by nobody. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async page(
    scope: EndpointScope,
    filter: EndpointFilter,
    after: string | null,
    limit: number,
  ): Promise<EndpointRow[]> {
    const { status = null, clientAppId = null } = filter;
    const values = [...whose(scope), after, status, clientAppId, limit];
    return this.uow.read(scope.organisationId, (db) => execute(db, PAGE, values));
  }

  async find(scope: EndpointScope, id: string): Promise<EndpointRow | null> {
    const rows = await this.uow.read(scope.organisationId, (db) => execute(db, FIND, [...whose(scope), id]));
    return rows[0] ?? null;
  }

  /** Throws APP_NOT_FOUND when the application is not one of the organisation's. */
  async insert(tx: Tx, endpoint: InsertedEndpoint): Promise<EndpointRow> {
    try {
      const [row] = await execute(tx, INSERT, [
        endpoint.id,
        endpoint.organisationId,
        endpoint.clientAppId,
        endpoint.url,
        endpoint.eventTypes,
        endpoint.ordering,
        endpoint.description,
        endpoint.sealedSecret,
      ]);
      if (!row) throw new Error('an insert returned nothing');
      return row;
    } catch (error) {
      if (isForeignApp(error)) throw new DomainError('APP_NOT_FOUND', { cause: error });
      throw error;
    }
  }

  async change(tx: Tx, scope: EndpointScope, id: string, words: EndpointWords): Promise<EndpointRow | null> {
    const [row] = await execute(tx, CHANGE, [
      ...whose(scope),
      id,
      words.url ?? null,
      words.eventTypes ?? null,
      words.ordering ?? null,
      words.description !== undefined,
      words.description ?? null,
    ]);
    return row ?? null;
  }

  /** Moves an endpoint from one of these states; null when it is not in any of them, or not the caller's. */
  async move(
    tx: Tx,
    scope: EndpointScope,
    id: string,
    from: readonly EndpointStatus[],
    to: EndpointStatus,
    reason: string | null,
  ): Promise<EndpointRow | null> {
    const [row] = await execute(tx, MOVE, [...whose(scope), id, from, to, reason]);
    return row ?? null;
  }

  /** As `move` from any other state, for the service's own decisions; the endpoint's organisation, or null. */
  async turn(tx: Tx, id: string, to: EndpointStatus, reason: string | null): Promise<string | null> {
    const [row] = await execute(tx, TURN, [id, to, reason]);
    return row?.organisationId ?? null;
  }

  /** Announces again what an endpoint could not take; older ones are announced anyway. */
  async wake(tx: Tx, id: string): Promise<void> {
    await execute(tx, WAKE, [id]);
  }

  async remove(tx: Tx, scope: EndpointScope, id: string): Promise<boolean> {
    return (await execute(tx, REMOVE, [...whose(scope), id])).length === 1;
  }

  /** Puts a new secret in front; the present one signs beside it for as long as they overlap, by the given clock. */
  async rotate(
    tx: Tx,
    scope: EndpointScope,
    id: string,
    { sealedSecret, overlapSeconds }: SealedSecrets,
    now: Date,
  ): Promise<EndpointRow | null> {
    const [row] = await execute(tx, ROTATE, [
      ...whose(scope),
      id,
      sealedSecret,
      overlapSeconds,
      now.toISOString(),
    ]);
    return row ?? null;
  }
}

const isForeignApp = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'webhook_endpoints_own_app';
