import { Injectable } from '@nestjs/common';
import { execute, system, UnitOfWork, type Tx } from '../../database/index.js';
import type { EventType } from '../domain/event.js';
import type { Recovery } from '../domain/recovery.js';
import { HINT_SECONDS } from '../domain/schedule.js';
import type { EndpointScope } from '../endpoint-trail.js';
import { FIRST_ID, HORIZON } from './event-feed.queries.js';

export interface NewRecovery {
  readonly id: string;
  readonly organisationId: string;
  readonly endpointId: string;
  readonly since: Date;
  readonly until: Date;
  readonly eventTypes: readonly EventType[];
  readonly dryRun: boolean;
  readonly requestedBy: string;
}

/** A recovery that is being worked on, its row locked. */
export interface OpenRecovery extends Recovery {
  readonly clientAppId: string;
  readonly endpointStatus: string;
  readonly removed: boolean;
  readonly reachedPosition: string;
  readonly reachedId: string;
  readonly stopPosition: string;
}

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

// Every event below the position of the mark was made before `since`; every event from `top` of a mark on, which was
// taken well after `until`, was made after it. Without such a mark the range ends with what has begun by now.
const INSERT = `
  INSERT INTO webhook_recoveries AS r (id, organisation_id, endpoint_id, since, until, event_types, dry_run, requested_by,
    start_position, reached_position, reached_id, stop_position)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, s.position, s.position, '${FIRST_ID}', least(u.top,
    (SELECT base FROM event_feed) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  FROM (SELECT coalesce(max(position), 0) AS position FROM event_marks WHERE at <= $4) s,
       (SELECT min(top) AS top FROM event_marks WHERE at >= $5::timestamptz + interval '1 minute') u
  RETURNING ${SHOWN}`;

const CHUNK = `
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
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT position, id FROM looked ORDER BY position DESC, id DESC LIMIT 1) l ON true`;

interface ChunkRow {
  readonly looked: number;
  readonly wanted: number;
  readonly mayGrow: boolean;
  readonly wouldSend: number;
  readonly deliveries: RecoveredDelivery[];
  readonly position: string | null;
  readonly id: string | null;
}

/** Recoveries and how far each has come; a chunk and its progress are one commit. */
@Injectable()
export class RecoveriesRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(tx: Tx, recovery: NewRecovery): Promise<Recovery> {
    const [row] = await execute<Recovery>(tx, { text: INSERT }, [
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
    const text = `SELECT ${SHOWN} FROM webhook_recoveries r
      WHERE r.organisation_id = $1 AND r.endpoint_id = $2 AND ($3::uuid IS NULL OR r.id < $3)
      ORDER BY r.id DESC LIMIT $4`;
    const values = [scope.organisationId, endpointId, before, limit];
    return this.uow.read(scope.organisationId, (db) => db.query(text, values));
  }

  async find(scope: EndpointScope, endpointId: string, id: string): Promise<Recovery | null> {
    const text = `SELECT ${SHOWN} FROM webhook_recoveries r
      WHERE r.organisation_id = $1 AND r.endpoint_id = $2 AND r.id = $3`;
    const rows: Recovery[] = await this.uow.read(scope.organisationId, (db) =>
      db.query(text, [scope.organisationId, endpointId, id]),
    );
    return rows[0] ?? null;
  }

  /** The organisation of a recovery, which its job does not name. */
  async organisationOf(id: string): Promise<string | null> {
    const rows: { organisationId: string }[] = await this.uow.read(system('webhooks.deliveries'), (db) =>
      db.query('SELECT organisation_id AS "organisationId" FROM webhook_recoveries WHERE id = $1', [id]),
    );
    return rows[0]?.organisationId ?? null;
  }

  /** Locks an unfinished recovery for this transaction; null when it is finished or another process has it. */
  async hold(tx: Tx, id: string): Promise<OpenRecovery | null> {
    const text = `SELECT ${SHOWN}, w.client_app_id AS "clientAppId", w.status AS "endpointStatus",
        w.deleted_at IS NOT NULL AS removed, r.reached_position AS "reachedPosition", r.reached_id AS "reachedId",
        r.stop_position AS "stopPosition"
      FROM webhook_recoveries r JOIN webhook_endpoints w ON w.id = r.endpoint_id
      WHERE r.id = $1 AND r.status IN ('QUEUED', 'RUNNING') FOR UPDATE OF r SKIP LOCKED`;
    const [row] = await execute<OpenRecovery>(tx, { text }, [id]);
    return row ?? null;
  }

  /** Looks at the next events of the range, gives the endpoint those that it never got, and notes how far it came. */
  async advance(tx: Tx, recovery: OpenRecovery, limit: number): Promise<RecoveredChunk> {
    const [row] = await execute<ChunkRow>(tx, { text: CHUNK }, [
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
    await execute(
      tx,
      {
        text: `UPDATE webhook_recoveries SET status = 'RUNNING', reached_position = coalesce($2, reached_position),
                 reached_id = coalesce($3, reached_id), events = events + $4, recovered = recovered + $5, touched_at = now()
               WHERE id = $1`,
      },
      [
        recovery.id,
        row.position,
        row.id,
        row.wanted,
        recovery.dryRun ? row.wouldSend : row.deliveries.length,
      ],
    );
    const { looked, mayGrow, deliveries, wouldSend } = row;
    return { looked, mayGrow, deliveries, wouldSend };
  }

  async finish(tx: Tx, id: string, status: 'COMPLETED' | 'CANCELLED'): Promise<Recovery | null> {
    const text = `UPDATE webhook_recoveries r SET status = $2, finished_at = now(), touched_at = now()
      WHERE id = $1 AND status IN ('QUEUED', 'RUNNING') RETURNING ${SHOWN}`;
    const [row] = await execute<Recovery>(tx, { text }, [id, status]);
    return row ?? null;
  }

  /** Unfinished recoveries: those that nobody touched for a while, or all of them. */
  async unfinished(tx: Tx, idleSeconds: number): Promise<string[]> {
    const text = `UPDATE webhook_recoveries SET touched_at = now()
      WHERE status IN ('QUEUED', 'RUNNING') AND touched_at <= now() - make_interval(secs => $1)
      RETURNING id`;
    return (await execute<{ id: string }>(tx, { text }, [idleSeconds])).map(({ id }) => id);
  }

  /** Whether that many deliveries wait for the endpoint. */
  async crowded(organisationId: string, endpointId: string, many: number): Promise<boolean> {
    const text = `SELECT count(*)::int AS waiting FROM (
      SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL LIMIT $2) d`;
    const rows: { waiting: number }[] = await this.uow.read(organisationId, (db) =>
      db.query(text, [endpointId, many]),
    );
    return (rows[0]?.waiting ?? 0) >= many;
  }
}
