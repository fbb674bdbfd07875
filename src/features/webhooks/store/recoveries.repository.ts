import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import {
  column,
  execute,
  nullable,
  selectColumnsExcept,
  statement,
  UnitOfWork,
  value,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { EventType } from '../events.dto.js';
import { HINT_SECONDS } from '../domain/schedule.js';
import { FIRST_ID, HORIZON } from './event-feed.queries.js';
import {
  EventEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookRecoveryEntity,
} from './entities.js';

export type NewRecovery = Readonly<
  Pick<
    WebhookRecoveryEntity,
    'id' | 'organisationId' | 'endpointId' | 'since' | 'until' | 'dryRun' | 'requestedBy'
  >
> & { readonly eventTypes: readonly EventType[] };

/** An unfinished recovery whose row is locked, with the state of its endpoint. */
export type OpenRecovery = Rows<typeof HOLD>;

export interface RecoveredDelivery {
  readonly id: string;
  readonly eventId: string;
  /** True if the delivery existed, had ended undelivered, and is sent again; false if it is new. */
  readonly revived: boolean;
}

const UNFINISHED = ['QUEUED', 'RUNNING'] as const;

// Every event below the first mark was created before `since`. Every event from `top` of the second mark on was created
// after `until`. If there is no second mark, the range ends at the newest transaction that has begun.
const INSERT = statement(
  'webhooks.insert-recovery',
  `
  INSERT INTO webhook_recoveries (id, organisation_id, endpoint_id, since, until, event_types, dry_run, requested_by,
    start_position, reached_position, reached_id, stop_position)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, s.position, s.position, '${FIRST_ID}', least(u.top,
    (SELECT base FROM event_feed) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  FROM (SELECT coalesce(max(position), 0) AS position FROM event_marks WHERE at <= $4) s,
       (SELECT min(top) AS top FROM event_marks WHERE at >= $5::timestamptz + interval '1 minute') u`,
);

const CHUNK = statement(
  'webhooks.recover-chunk',
  `
  WITH horizon AS MATERIALIZED (SELECT ${HORIZON} AS at),
  looked AS (
    SELECT e.id, e.organisation_id, e.type, e.position, e.resource_type, e.created_at FROM horizon h
    CROSS JOIN LATERAL (
      SELECT * FROM events WHERE client_app_id = $1 AND (position, id) > ($2::bigint, $3::uuid)
        AND position < least(h.at, $4::bigint) ORDER BY position, id LIMIT $5) e),
  wanted AS (
    SELECT l.*, d.status FROM looked l LEFT JOIN webhook_deliveries d ON d.id = time_ordered_uuid(l.id, $6)
    WHERE l.type = ANY ($7) AND l.resource_type <> 'test' AND l.created_at >= $8 AND l.created_at < $9),
  given AS (
    INSERT INTO webhook_deliveries AS d (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
    SELECT time_ordered_uuid(id, $6), organisation_id, id, $6, now(), now() + make_interval(secs => $10)
    FROM wanted WHERE NOT $11 AND (status IS NULL OR status IN ('EXHAUSTED', 'CANCELLED'))
    ON CONFLICT (id) DO UPDATE SET status = 'PENDING', base_attempts = d.attempts, rounds = d.rounds + 1,
      due_at = excluded.due_at, wake_at = excluded.wake_at, finished_at = NULL
    WHERE d.status IN ('EXHAUSTED', 'CANCELLED')
    RETURNING d.id, d.event_id AS "eventId", xmax::text <> '0' AS revived)
  SELECT (SELECT count(*)::int FROM looked) AS looked, (SELECT count(*)::int FROM wanted) AS wanted,
    (SELECT h.at < $4::bigint FROM horizon h) AS "mayGrow",
    (SELECT count(*)::int FROM wanted WHERE status IS NULL OR status IN ('EXHAUSTED', 'CANCELLED')) AS "wouldSend",
    (SELECT coalesce(json_agg(given), '[]') FROM given) AS deliveries,
    l.position, l.id
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT position, id FROM looked ORDER BY position DESC, id DESC LIMIT 1) l ON true`,
  {
    /** The number of events that were read; fewer than the limit at the current end of the feed. */
    looked: 'integer',
    wanted: 'integer',
    /** True if open database transactions may still add events to the range. */
    mayGrow: 'boolean',
    /** The number of events that a dry run would send. */
    wouldSend: 'integer',
    deliveries: value<RecoveredDelivery[]>('json'),
    position: nullable(column(EventEntity, 'position')),
    id: nullable(column(EventEntity, 'id')),
  },
);

const RECOVERY = selectColumnsExcept(WebhookRecoveryEntity, 'r', 'progress');

const HOLD = statement(
  'webhooks.hold-recovery',
  `SELECT ${RECOVERY.sql}, w.client_app_id AS "clientAppId", w.status AS "endpointStatus",
        w.deleted_at IS NOT NULL AS removed
      FROM webhook_recoveries r JOIN webhook_endpoints w ON w.id = r.endpoint_id
      WHERE r.id = $1 AND r.status IN ('QUEUED', 'RUNNING') FOR UPDATE OF r SKIP LOCKED`,
  {
    ...RECOVERY.shape,
    clientAppId: column(WebhookEndpointEntity, 'clientAppId'),
    endpointStatus: column(WebhookEndpointEntity, 'status'),
    removed: 'boolean',
  },
);

/** Stores recoveries. A chunk and its progress are one commit. */
@Injectable()
export class RecoveriesRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(tx: Tx, recovery: NewRecovery): Promise<WebhookRecoveryEntity> {
    await execute(tx, INSERT, [
      recovery.id,
      recovery.organisationId,
      recovery.endpointId,
      recovery.since.toISOString(),
      recovery.until.toISOString(),
      recovery.eventTypes,
      recovery.dryRun,
      recovery.requestedBy,
    ]);
    return tx.findOneByOrFail(WebhookRecoveryEntity, { id: recovery.id });
  }

  /** Locks an unfinished recovery; null if it has finished or another process has locked it. */
  async lock(tx: Tx, id: string): Promise<OpenRecovery | null> {
    const [row] = await execute(tx, HOLD, [id]);
    return row ?? null;
  }

  /** Reads the next events of the range, inserts deliveries that the endpoint never got, and records the progress. */
  async advance(tx: Tx, recovery: OpenRecovery, limit: number): Promise<Rows<typeof CHUNK>> {
    const [row] = await execute(tx, CHUNK, [
      recovery.clientAppId,
      recovery.reachedPosition,
      recovery.reachedId,
      recovery.stopPosition,
      limit,
      recovery.endpointId,
      recovery.eventTypes,
      recovery.since.toISOString(),
      recovery.until.toISOString(),
      HINT_SECONDS,
      recovery.dryRun,
    ]);
    if (!row) throw new Error('an aggregate returned nothing');
    const sent = recovery.dryRun ? row.wouldSend : row.deliveries.length;
    await tx.update(
      WebhookRecoveryEntity,
      { id: recovery.id },
      {
        status: 'RUNNING',
        ...(row.position === null || row.id === null
          ? {}
          : { reachedPosition: row.position, reachedId: row.id }),
        events: () => `events + ${row.wanted}`,
        recovered: () => `recovered + ${sent}`,
        touchedAt: () => 'now()',
      },
    );
    return row;
  }

  async finish(tx: Tx, id: string, status: 'COMPLETED' | 'CANCELLED'): Promise<WebhookRecoveryEntity> {
    await tx.update(
      WebhookRecoveryEntity,
      { id, status: In(UNFINISHED) },
      { status, finishedAt: () => 'now()', touchedAt: () => 'now()' },
    );
    return tx.findOneByOrFail(WebhookRecoveryEntity, { id });
  }

  /**
   * Claims unfinished recoveries without progress for `idleSeconds`: sets `touched_at` to now and returns their ids.
   */
  async claimIdle(tx: Tx, idleSeconds: number): Promise<string[]> {
    const touched = await tx
      .createQueryBuilder()
      .update(WebhookRecoveryEntity)
      .set({ touchedAt: () => 'now()' })
      .where({ status: In(UNFINISHED) })
      .andWhere('touched_at <= now() - make_interval(secs => :idleSeconds)', { idleSeconds })
      .returning('id')
      .execute();
    return (touched.raw as WebhookRecoveryEntity[]).map(({ id }) => id);
  }

  /** True if at least `many` deliveries to the endpoint are unfinished. */
  async isBacklogAtLeast(organisationId: string, endpointId: string, many: number): Promise<boolean> {
    const where = { endpointId, finishedAt: IsNull() };
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(WebhookDeliveryEntity, { select: { id: true }, where, skip: many - 1, take: 1 }),
    );
    return rows.length > 0;
  }
}
