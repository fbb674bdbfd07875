import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import {
  isIn,
  column,
  type Clause,
  columns,
  composite,
  execute,
  selectIds,
  properties,
  type Rows,
  sqlArray,
  statement,
  system,
  type Tx,
  UnitOfWork,
  unnested,
} from '../../../platform/database/index.js';
import { HINT_SECONDS, type AttemptResult, type DeliveryVerdict } from '../domain/schedule.js';
import { EventEntity, WebhookDeliveryEntity, WebhookEndpointEntity } from './entities.js';

export type SealedSecrets = Rows<typeof SECRETS_OF>;

/**
 * A delivery that only this process may send until its lease expires. Each claim increments the `fence`, so that
 * results of a claim that lost its lease are not written.
 */
export type ClaimedDelivery = Rows<typeof CLAIM>;

export interface Attempt extends AttemptResult {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly excerpt: string | null;
}

/** The result of a claimed delivery: its new status and the attempt, if there was one. */
export interface AttemptConclusion {
  readonly delivery: ClaimedDelivery;
  readonly verdict: DeliveryVerdict;
  /** Null when nothing was sent because the person that the event is about was erased. */
  readonly attempt: Attempt | null;
  readonly correlationId: string | null;
}

/** A delivery that is due, and the state of its endpoint. */
export type DueDelivery = Rows<typeof LOCATE>;

/** A delivery that was cancelled before an attempt. */
export type CancelledDelivery = Rows<typeof CANCEL>;

// Number of deliveries announced after a breaker's pause: one tests the endpoint, but some may be locked or wait.
const PROBES = 5;

type Attempted = AttemptConclusion & { readonly attempt: Attempt };

const ATTEMPTS = unnested<Attempted>(
  { uuid: { deliveryId: 'delivery.id', organisationId: 'delivery.organisationId' } },
  { int: { attempt: 'attempt.number' }, timestamptz: ['attempt.startedAt'] },
  { int: ['attempt.durationMs', 'attempt.statusCode'] },
  { text: { errorCode: 'attempt.errorCode', responseExcerpt: 'attempt.excerpt' } },
);
const INSERT_ATTEMPTS = `
  INSERT INTO webhook_attempts (${ATTEMPTS.columns}) SELECT s.* FROM ${ATTEMPTS.from()}
  WHERE ${isIn('s.delivery_id', 'concluded')}`;

// Claims commit asynchronously. A crash may lose a claim, and the delivery is then sent twice, which is allowed. Only
// results of attempts must be durable.
const RELAX_COMMIT = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const SECRETS = `w.id AS "endpointId", w.sealed_secret AS "sealedSecret",
  w.older_sealed_secrets AS "olderSealedSecrets", w.older_secrets_expire_at AS "olderSecretsExpireAt"`;

const SECRETS_SHAPE = {
  ...properties(WebhookEndpointEntity, 'sealedSecret', 'olderSealedSecrets', 'olderSecretsExpireAt'),
  endpointId: column(WebhookEndpointEntity, 'id'),
};

const SECRETS_OF = statement(
  'webhooks.secrets-of',
  `SELECT w.organisation_id AS "organisationId", ${SECRETS} FROM webhook_endpoints w WHERE w.id = $1`,
  { ...properties(WebhookEndpointEntity, 'organisationId'), ...SECRETS_SHAPE },
);

// Checks the endpoint again: it may have been paused or disabled since. At an ordered endpoint an event waits until the
// delivery of every earlier event of its resource has ended.
const CLAIM = statement(
  'webhooks.claim',
  `WITH ${RELAX_COMMIT}, due AS (
           SELECT id FROM webhook_deliveries CROSS JOIN relaxed
           WHERE id = ANY ($1) AND status IN ('PENDING', 'SENDING') AND due_at <= now()
           ORDER BY id FOR UPDATE OF webhook_deliveries SKIP LOCKED)
         UPDATE webhook_deliveries d
         SET status = 'SENDING', fence = d.fence + 1, lease_owner = $3,
             due_at = now() + make_interval(secs => $2)
         FROM due, webhook_endpoints w, events e
         WHERE d.id = ANY ($1) AND d.id = due.id AND w.id = d.endpoint_id AND w.status = 'ACTIVE' AND e.id = d.event_id
           AND (w.ordering = 'none' OR NOT EXISTS (
             SELECT FROM events e0 JOIN webhook_deliveries d0 ON d0.id = time_ordered_uuid(e0.id, w.id)
             WHERE e0.resource_id = e.resource_id AND e0.sequence < e.sequence AND d0.status IN ('PENDING', 'SENDING')))
         RETURNING d.id, d.organisation_id AS "organisationId", d.fence, d.attempts,
           d.base_attempts AS "baseAttempts", d.rounds, e.id AS "eventId",
           e.type AS "eventType", e.created_at AS "eventCreatedAt", e.sealed_payload AS "sealedPayload",
           e.traceparent,
           w.url, w.ordering <> 'none' AS ordered, ${SECRETS}`,
  {
    ...properties(
      WebhookDeliveryEntity,
      'id',
      'organisationId',
      'fence',
      'attempts',
      'baseAttempts',
      'rounds',
    ),
    ...properties(EventEntity, 'sealedPayload', 'traceparent'),
    eventId: column(EventEntity, 'id'),
    eventType: column(EventEntity, 'type'),
    eventCreatedAt: column(EventEntity, 'createdAt'),
    ...properties(WebhookEndpointEntity, 'url'),
    ...SECRETS_SHAPE,
    /** True if the endpoint receives the events of each resource in order, one at a time. */
    ordered: 'boolean',
  },
);

const CONCLUSIONS = unnested<AttemptConclusion>(
  { uuid: ['delivery.id'], int: ['delivery.fence'], text: ['verdict.status'] },
  { int: { attempts: ({ attempt, delivery }) => attempt?.number ?? delivery.attempts } },
  { int: { statusCode: ({ attempt }) => attempt?.statusCode ?? null }, text: ['verdict.error'] },
  { float8: { delay: ({ verdict }) => (verdict.status === 'PENDING' ? verdict.delaySeconds : 0) } },
);
const UPDATE_CONCLUDED = `
  UPDATE webhook_deliveries d
  SET status = c.status, attempts = c.attempts, last_status_code = c.status_code, last_error = c.error,
      due_at = now() + make_interval(secs => c.delay), wake_at = now() + make_interval(secs => c.delay),
      finished_at = CASE WHEN c.status <> 'PENDING' THEN now() END, lease_owner = NULL
  FROM ${CONCLUSIONS.from(1, 'c')}
  WHERE d.id = ANY ($1::uuid[]) AND d.id = c.id AND d.fence = c.fence AND d.status = 'SENDING'
  RETURNING d.id`;

const CANCEL = statement(
  'webhooks.cancel',
  `UPDATE webhook_deliveries SET status = 'CANCELLED', last_error = $2, finished_at = now()
         WHERE id = ANY ($1) AND status IN ('PENDING', 'SENDING') AND due_at <= now()
         RETURNING id, organisation_id AS "organisationId", event_id AS "eventId", endpoint_id AS "endpointId", attempts`,
  properties(WebhookDeliveryEntity, 'id', 'organisationId', 'eventId', 'endpointId', 'attempts'),
);

// Finds the next unfinished event of the same resource and endpoint after each of these events.
const SUCCESSORS = statement(
  'webhooks.successors',
  `
  SELECT n.id, c.endpoint_id AS "endpointId"
  FROM unnest($1::uuid[], $2::uuid[]) AS c (event_id, endpoint_id) JOIN events e ON e.id = c.event_id
  CROSS JOIN LATERAL (
    SELECT d.id, d.status, d.due_at FROM events s
    JOIN webhook_deliveries d ON d.id = time_ordered_uuid(s.id, c.endpoint_id)
    WHERE s.resource_id = e.resource_id AND s.sequence > e.sequence
      AND d.status IN ('PENDING', 'SENDING') ORDER BY s.sequence LIMIT 1) AS n
  WHERE n.status = 'PENDING' AND n.due_at <= now()`,
  { ...properties(WebhookDeliveryEntity, 'id'), endpointId: 'uuid' },
);

const GIVE_BACK = statement(
  'webhooks.give-back',
  `UPDATE webhook_deliveries d SET status = 'PENDING', due_at = now(), wake_at = now(), lease_owner = NULL
         FROM unnest($1::uuid[], $2::int[]) AS c (id, fence)
         WHERE d.id = ANY ($1::uuid[]) AND d.id = c.id AND d.fence = c.fence AND d.status = 'SENDING'`,
);

const LOCATE = statement(
  'webhooks.locate-due',
  `SELECT d.id, d.endpoint_id AS "endpointId", w.status AS "endpointStatus"
         FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
         WHERE d.id = ANY ($1) AND d.status IN ('PENDING', 'SENDING') AND d.due_at <= now() ORDER BY d.id`,
  {
    ...properties(WebhookDeliveryEntity, 'id', 'endpointId'),
    endpointStatus: column(WebhookEndpointEntity, 'status'),
  },
);

const wakeBy = (by: 'due_at' | 'wake_at'): string => `
      UPDATE webhook_deliveries SET wake_at = now() + make_interval(secs => $1)
      WHERE id = ANY (ARRAY(
        SELECT due.id FROM webhook_endpoints w
        CROSS JOIN LATERAL (
          SELECT d.id, d.wake_at FROM webhook_deliveries d
          WHERE d.endpoint_id = w.id AND d.finished_at IS NULL
            AND d.${by} <= now()
          ORDER BY d.wake_at LIMIT CASE WHEN w.held_until IS NULL THEN $2::int ELSE ${PROBES} END
          FOR UPDATE SKIP LOCKED) AS due
        WHERE w.status <> 'PAUSED' AND (w.held_until IS NULL OR w.held_until <= now()) ORDER BY due.wake_at LIMIT $3))
      RETURNING id`;

const WAKE = statement('webhooks.wake', wakeBy('wake_at'), properties(WebhookDeliveryEntity, 'id'));
const WAKE_DUE = statement('webhooks.wake-due', wakeBy('due_at'), properties(WebhookDeliveryEntity, 'id'));

/** The queue of webhooks in PostgreSQL. */
@Injectable()
export class DeliveriesRepository {
  private readonly owner = `${hostname()}:${process.pid}`;

  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the given deliveries that are due and unfinished. */
  async locateDue(ids: readonly string[]): Promise<DueDelivery[]> {
    return this.uow.rows(system('webhooks.deliveries'), LOCATE, [ids]);
  }

  /** Claims the given deliveries that are still due and whose endpoints are active. Skips locked rows. */
  async claim(ids: readonly string[], leaseSeconds: number): Promise<ClaimedDelivery[]> {
    const values = [sqlArray.plain(ids), leaseSeconds, this.owner];
    return this.uow.write(system('webhooks.deliveries'), CLAIM, values);
  }

  async readSecrets(endpointId: string): Promise<SealedSecrets | null> {
    const rows = await this.uow.rows(system('webhooks.deliveries'), SECRETS_OF, [endpointId]);
    return rows[0] ?? null;
  }

  /** Releases claims without an attempt; another process may claim the deliveries immediately. */
  async releaseUnstarted(tx: Tx, claimed: readonly ClaimedDelivery[]): Promise<void> {
    const ids = sqlArray.plain(claimed.map(({ id }) => id));
    await execute(tx, GIVE_BACK, [ids, sqlArray.plain(claimed.map(({ fence }) => fence))]);
  }

  /** Writes the results whose claim is still valid, and returns them. */
  async conclude(tx: Tx, conclusions: readonly AttemptConclusion[]): Promise<AttemptConclusion[]> {
    const rows = await execute(tx, ...CONCLUDE({ conclusions }));
    const concludedIds = new Set(rows.map((row) => row.id));
    return conclusions.filter(({ delivery }) => concludedIds.has(delivery.id));
  }

  /** Cancels the given deliveries that are due and unfinished, and returns them. */
  async cancel(tx: Tx, ids: readonly string[], reason: string): Promise<CancelledDelivery[]> {
    return execute(tx, CANCEL, [sqlArray.plain(ids), reason]);
  }

  /** Returns the deliveries that ordered endpoints may get next, after the deliveries `ended`. */
  async findSuccessors(ended: readonly ClaimedDelivery[]): Promise<Pick<DueDelivery, 'id' | 'endpointId'>[]> {
    return this.uow.rows(
      ended.map(({ organisationId }) => organisationId),
      SUCCESSORS,
      [
        sqlArray.plain(ended.map(({ eventId }) => eventId)),
        sqlArray.plain(ended.map(({ endpointId }) => endpointId)),
      ],
    );
  }

  /**
   * Returns the ids of unfinished deliveries to announce, and postpones their next announcement by HINT_SECONDS:
   * deliveries whose announcement is due, or all due deliveries (`everyDue`). Skips paused endpoints and endpoints with
   * an open breaker; an endpoint whose breaker was open gets at most PROBES until one delivery succeeds. Oldest first,
   * at most `perEndpoint` of each endpoint, so that one long backlog does not block the others.
   */
  async takeDueForAnnouncement(
    tx: Tx,
    everyDue: boolean,
    perEndpoint: number,
    limit: number,
  ): Promise<string[]> {
    const rows = await execute(tx, everyDue ? WAKE_DUE : WAKE, [HINT_SECONDS, perEndpoint, limit]);
    return rows.map((row) => row.id);
  }
}

/** Clauses that write results; `concluded` returns the ids of deliveries whose claim is still valid. */
export function concludeClauses(conclusions: readonly AttemptConclusion[]): Clause[] {
  const attempts = conclusions.filter((one): one is Attempted => one.attempt !== null);
  return [
    { name: 'concluded', text: UPDATE_CONCLUDED, values: CONCLUSIONS.arrays(conclusions) },
    { name: 'attempted', text: INSERT_ATTEMPTS, values: ATTEMPTS.arrays(attempts) },
  ];
}

const CONCLUDE = composite('webhook-conclude', {
  clauses: ({ conclusions }: { conclusions: readonly AttemptConclusion[] }) => concludeClauses(conclusions),
  every: { conclusions: [[]] },
  result: selectIds('concluded'),
  shape: columns(WebhookDeliveryEntity, 'id'),
  prepared: false,
});
