import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  nullable,
  properties,
  statement,
  system,
  UnitOfWork,
  value,
  type Rows,
  type Tx,
} from '../../database/index.js';
import type { EventType } from '../events.dto.js';
import type { Recovery } from '../domain/recovery.js';
import { HINT_SECONDS } from '../domain/schedule.js';
import type { EndpointScope } from '../endpoints/endpoint-trail.js';
import { FIRST_ID, HORIZON } from './event-feed.queries.js';
import { EventEntity } from './entities/event.entity.js';
import { WebhookEndpointEntity } from './entities/webhook-endpoint.entity.js';
import { WebhookRecoveryEntity } from './entities/webhook-recovery.entity.js';

export type NewRecovery = Readonly<
  Pick<
    WebhookRecoveryEntity,
    'id' | 'organisationId' | 'endpointId' | 'since' | 'until' | 'dryRun' | 'requestedBy'
  >
> & { readonly eventTypes: readonly EventType[] };

/** A recovery that is being worked on, its row locked. */
export type OpenRecovery = Rows<typeof HOLD>;

export interface RecoveredDelivery {
  readonly id: string;
  readonly eventId: string;
  /** It had ended before; false for one that was made now. */
  readonly revived: boolean;
}

export interface RecoveredChunk {
  /** How many events were looked at; fewer than asked for when none are left for now. */
  readonly looked: number;
  /** Transactions that may still add events to the range are under way. */
  readonly mayGrow: boolean;
  readonly deliveries: readonly RecoveredDelivery[];
  /** In a dry run, how many would be sent. */
  readonly wouldSend: number;
}

const SHOWN = `r.id, r.organisation_id AS "organisationId", r.endpoint_id AS "endpointId", r.since, r.until,
  r.event_types AS "eventTypes", r.dry_run AS "dryRun", r.status, r.events, r.recovered, r.created_at AS "createdAt",
  r.finished_at AS "finishedAt",
  CASE WHEN r.status = 'COMPLETED' THEN 100
       ELSE floor(least(99, 100 * (r.reached_position - r.start_position)::float8
                            / greatest(1, r.stop_position - r.start_position)))::int END AS progress`;

const SHOWN_SHAPE = {
  ...properties(
    WebhookRecoveryEntity,
    'id',
    'organisationId',
    'endpointId',
    'since',
    'until',
    'eventTypes',
    'dryRun',
  ),
  ...properties(WebhookRecoveryEntity, 'status', 'events', 'recovered', 'createdAt', 'finishedAt'),
  progress: 'integer',
} as const;

// Every event below the position of the mark was made before `since`; every event from `top` of a mark on, which was
// taken well after `until`, was made after it. Without such a mark the range ends with what has begun by now.
const INSERT = statement(
  'webhooks.insert-recovery',
  `
  INSERT INTO webhook_recoveries AS r (id, organisation_id, endpoint_id, since, until, event_types, dry_run, requested_by,
    start_position, reached_position, reached_id, stop_position)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, s.position, s.position, '${FIRST_ID}', least(u.top,
    (SELECT base FROM event_feed) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  FROM (SELECT coalesce(max(position), 0) AS position FROM event_marks WHERE at <= $4) s,
       (SELECT min(top) AS top FROM event_marks WHERE at >= $5::timestamptz + interval '1 minute') u
  RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
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
    SELECT l.*, d.status FROM looked l LEFT JOIN webhook_deliveries d ON d.event_id = l.id AND d.endpoint_id = $6
    WHERE l.type = ANY ($7) AND l.resource_type <> 'test' AND l.created_at >= $8 AND l.created_at < $9),
  given AS (
    INSERT INTO webhook_deliveries AS d (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
    SELECT time_ordered_uuid(id, $6), organisation_id, id, $6, now(), now() + make_interval(secs => $10)
    FROM wanted WHERE NOT $11 AND (status IS NULL OR status IN ('EXHAUSTED', 'CANCELLED'))
    ON CONFLICT (event_id, endpoint_id) DO UPDATE SET status = 'PENDING', base_attempts = d.attempts, rounds = d.rounds + 1,
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
    looked: 'integer',
    wanted: 'integer',
    mayGrow: 'boolean',
    wouldSend: 'integer',
    deliveries: value<RecoveredDelivery[]>('json'),
    position: nullable(column(EventEntity, 'position')),
    id: nullable(column(EventEntity, 'id')),
  },
);

const PAGE = statement(
  'webhooks.recovery-page',
  `SELECT ${SHOWN} FROM webhook_recoveries r
      WHERE r.organisation_id = $1 AND r.endpoint_id = $2 AND ($3::uuid IS NULL OR r.id < $3)
      ORDER BY r.id DESC LIMIT $4`,
  SHOWN_SHAPE,
);

const FIND = statement(
  'webhooks.find-recovery',
  `SELECT ${SHOWN} FROM webhook_recoveries r
      WHERE r.organisation_id = $1 AND r.endpoint_id = $2 AND r.id = $3`,
  SHOWN_SHAPE,
);

const HOLD = statement(
  'webhooks.hold-recovery',
  `SELECT ${SHOWN}, w.client_app_id AS "clientAppId", w.status AS "endpointStatus",
        w.deleted_at IS NOT NULL AS removed, r.reached_position AS "reachedPosition", r.reached_id AS "reachedId",
        r.stop_position AS "stopPosition"
      FROM webhook_recoveries r JOIN webhook_endpoints w ON w.id = r.endpoint_id
      WHERE r.id = $1 AND r.status IN ('QUEUED', 'RUNNING') FOR UPDATE OF r SKIP LOCKED`,
  {
    ...SHOWN_SHAPE,
    ...properties(WebhookRecoveryEntity, 'reachedPosition', 'reachedId', 'stopPosition'),
    clientAppId: column(WebhookEndpointEntity, 'clientAppId'),
    endpointStatus: column(WebhookEndpointEntity, 'status'),
    removed: 'boolean',
  },
);

const FINISH = statement(
  'webhooks.finish-recovery',
  `UPDATE webhook_recoveries r SET status = $2, finished_at = now(), touched_at = now()
      WHERE id = $1 AND status IN ('QUEUED', 'RUNNING') RETURNING ${SHOWN}`,
  SHOWN_SHAPE,
);

const UNFINISHED = statement(
  'webhooks.unfinished-recoveries',
  `UPDATE webhook_recoveries SET touched_at = now()
      WHERE status IN ('QUEUED', 'RUNNING') AND touched_at <= now() - make_interval(secs => $1)
      RETURNING id`,
  properties(WebhookRecoveryEntity, 'id'),
);

const WAITING = statement(
  'webhooks.waiting-deliveries',
  `SELECT count(*)::int AS waiting FROM (
      SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL LIMIT $2) d`,
  { waiting: 'integer' },
);

const ORGANISATION_OF = statement(
  'webhooks.organisation-of-recovery',
  'SELECT organisation_id AS "organisationId" FROM webhook_recoveries WHERE id = $1',
  properties(WebhookRecoveryEntity, 'organisationId'),
);

const ADVANCE = statement(
  'webhooks.advance-recovery',
  `UPDATE webhook_recoveries SET status = 'RUNNING', reached_position = coalesce($2, reached_position),
                 reached_id = coalesce($3, reached_id), events = events + $4, recovered = recovered + $5, touched_at = now()
               WHERE id = $1`,
);

/** Recoveries and how far each has come; a chunk and its progress are one commit. */
@Injectable()
export class RecoveriesRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(tx: Tx, recovery: NewRecovery): Promise<Recovery> {
    const [row] = await execute(tx, INSERT, [
      recovery.id,
      recovery.organisationId,
      recovery.endpointId,
      recovery.since.toISOString(),
      recovery.until.toISOString(),
      recovery.eventTypes,
      recovery.dryRun,
      recovery.requestedBy,
    ]);
    if (!row) throw new Error('an insert returned nothing');
    return row;
  }

  /** Newest first. */
  async page(
    scope: EndpointScope,
    endpointId: string,
    before: string | null,
    limit: number,
  ): Promise<Recovery[]> {
    const values = [scope.organisationId, endpointId, before, limit];
    return this.uow.read(scope.organisationId, (db) => execute(db, PAGE, values));
  }

  async find(scope: EndpointScope, endpointId: string, id: string): Promise<Recovery | null> {
    const rows = await this.uow.read(scope.organisationId, (db) =>
      execute(db, FIND, [scope.organisationId, endpointId, id]),
    );
    return rows[0] ?? null;
  }

  /** The organisation of a recovery, which its job does not name. */
  async organisationOf(id: string): Promise<string | null> {
    const rows = await this.uow.read(system('webhooks.deliveries'), (db) =>
      execute(db, ORGANISATION_OF, [id]),
    );
    return rows[0]?.organisationId ?? null;
  }

  /** Locks an unfinished recovery for this transaction; null when it is finished or another process has it. */
  async lock(tx: Tx, id: string): Promise<OpenRecovery | null> {
    const [row] = await execute(tx, HOLD, [id]);
    return row ?? null;
  }

  /** Looks at the next events of the range, gives the endpoint those that it never got, and notes how far it came. */
  async advance(tx: Tx, recovery: OpenRecovery, limit: number): Promise<RecoveredChunk> {
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
    await execute(tx, ADVANCE, [
      recovery.id,
      row.position,
      row.id,
      row.wanted,
      recovery.dryRun ? row.wouldSend : row.deliveries.length,
    ]);
    const { looked, mayGrow, deliveries, wouldSend } = row;
    return { looked, mayGrow, deliveries, wouldSend };
  }

  async finish(tx: Tx, id: string, status: 'COMPLETED' | 'CANCELLED'): Promise<Recovery | null> {
    const [row] = await execute(tx, FINISH, [id, status]);
    return row ?? null;
  }

  /** Unfinished recoveries: those that nobody touched for a while, or all of them. */
  async unfinished(tx: Tx, idleSeconds: number): Promise<string[]> {
    return (await execute(tx, UNFINISHED, [idleSeconds])).map(({ id }) => id);
  }

  /** Whether that many deliveries wait for the endpoint. */
  async crowded(organisationId: string, endpointId: string, many: number): Promise<boolean> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, WAITING, [endpointId, many]));
    return (rows[0]?.waiting ?? 0) >= many;
  }
}
