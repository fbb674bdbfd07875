import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  nullable,
  statement,
  UnitOfWork,
  type Tx,
} from '../../../platform/database/index.js';
import type { EventType } from '../events.dto.js';
import { PRESENT_LIFE } from './event-incarnation.statements.js';
import { EventEntity } from './entities.js';

/** A position in the feed: after the event with this position and id. */
export interface FeedPosition {
  readonly position: number;
  readonly id: string;
}

export interface FeedRow extends Readonly<Pick<EventEntity, 'id' | 'sealedPayload'>> {
  readonly position: number;
}

export interface FeedSlice {
  readonly rows: readonly FeedRow[];
  /** The horizon: no event can be committed below this position any more. */
  readonly horizon: number;
  /** The current incarnation of the feed; null in a restored database whose incarnation is not recorded yet. */
  readonly incarnation: number | null;
  /** The lowest start position of all incarnations later than that of the cursor; null if there is none. */
  readonly point: number | null;
  /** The same as `point`, for a transaction counter that went back within the current incarnation. */
  readonly earlierPoint: number;
}

export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The horizon: all database transactions below it have ended, so everything that they committed is visible. */
export const HORIZON = `(SELECT base FROM event_feed) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const IS_IN_SLICE = `client_app_id = $1 AND (position, id) > ($2::bigint, $3::uuid) AND position < h.at
          AND ($4::timestamptz IS NULL OR created_at >= $4) AND resource_type <> 'test'`;

const SELECT_ALL_TYPES = `SELECT id, position, sealed_payload FROM events
        WHERE ${IS_IN_SLICE} AND ($5::text[] IS NULL OR type = ANY ($5)) ORDER BY position, id LIMIT $6`;

/** Nearly all events have these types; the partial index `events_other` covers the others. */
const COMMON = ['kyt.transaction.queued', 'kyt.transaction.pipeline.completed'] as const;
const SELECT_OTHER_TYPES = `SELECT o.* FROM unnest($5::text[]) AS wanted (type) CROSS JOIN LATERAL (
          SELECT id, position, sealed_payload FROM events
          WHERE ${IS_IN_SLICE} AND type = wanted.type AND type NOT IN (${COMMON.map((type) => `'${type}'`).join(', ')})
          ORDER BY position, id LIMIT $6) o
        ORDER BY o.position, o.id LIMIT $6`;

// One statement uses one snapshot, so the returned horizon is the horizon that filtered the rows.
const sliceOf = (events: string): string => `
      WITH horizon AS MATERIALIZED (SELECT ${HORIZON} AS at)
      SELECT h.at::float8 AS horizon, ${PRESENT_LIFE} AS incarnation,
        (SELECT min(point)::float8 FROM event_incarnations WHERE number > $7) AS point,
        (SELECT coalesce(max(position), 0)::float8 FROM event_marks WHERE at < pg_postmaster_start_time()) AS earlier_point,
        e.id, e.position::float8 AS position, e.sealed_payload AS "sealedPayload"
      FROM horizon h LEFT JOIN LATERAL (${events}) e ON true
      ORDER BY e.position, e.id`;

const SLICE_SHAPE = {
  horizon: 'float8',
  incarnation: 'integer | null',
  point: 'float8 | null',
  earlier_point: 'float8',
  id: nullable(column(EventEntity, 'id')),
  position: 'float8 | null',
  sealedPayload: nullable(column(EventEntity, 'sealedPayload')),
} as const;

const SLICE = statement('webhooks.feed-slice', sliceOf(SELECT_ALL_TYPES), SLICE_SHAPE);
const SLICE_OF_OTHERS = statement('webhooks.feed-slice-of-others', sliceOf(SELECT_OTHER_TYPES), SLICE_SHAPE);

const POSITION_BEFORE = statement(
  'webhooks.position-before',
  `SELECT coalesce(max(position), 0)::float8 AS position FROM event_marks WHERE at <= $1`,
  { position: 'float8' },
);

// An event counts as arrived only below the horizon, because the feed returns no other.
const FIND_READERS_WITH_EVENTS = statement(
  'webhooks.feed-arrived',
  `SELECT a.at::int AS at FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS a (app, position, at)
   WHERE EXISTS (SELECT FROM events e WHERE e.client_app_id = a.app AND e.position > a.position
     AND e.position < ${HORIZON} AND e.resource_type <> 'test')`,
  { at: 'integer' },
);

const READ_HORIZON = statement('webhooks.horizon', `SELECT (${HORIZON})::float8 AS horizon`, {
  horizon: 'float8',
});

const RECORD_MARK = statement(
  'webhooks.mark',
  `INSERT INTO event_marks (at, position, top)
      SELECT clock_timestamp(), ${HORIZON},
        (SELECT base FROM event_feed) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      WHERE NOT EXISTS (SELECT FROM event_marks WHERE at > now() - interval '1 minute') AND ${PRESENT_LIFE} IS NOT NULL
      ON CONFLICT DO NOTHING`,
);

@Injectable()
export class EventFeedQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Up to `limit` events of an application after a position and below the horizon. */
  async readSlice(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    after: FeedPosition & { readonly incarnation: number },
    since: Date | null,
    types: readonly EventType[] | null,
    limit: number,
  ): Promise<FeedSlice> {
    const { position, id, incarnation } = after;
    const values = [
      owner.clientAppId,
      ...[position, id, since?.toISOString() ?? null],
      ...[types, limit, incarnation],
    ];
    const slice =
      types?.every((type) => !COMMON.some((one) => one === type)) === true ? SLICE_OF_OTHERS : SLICE;
    const rows = await this.uow.rows(owner.organisationId, slice, values);
    return {
      horizon: rows[0]?.horizon ?? 0,
      incarnation: rows[0]?.incarnation ?? null,
      point: rows[0]?.point ?? null,
      earlierPoint: rows[0]?.earlier_point ?? 0,
      rows: rows.flatMap(({ id, position, sealedPayload }) =>
        id === null || position === null || sealedPayload === null ? [] : [{ id, position, sealedPayload }],
      ),
    };
  }

  /** The indices of the readers that have an event after their position. */
  async findReadersWithEvents(
    readers: readonly {
      readonly organisationId: string;
      readonly clientAppId: string;
      readonly position: number;
    }[],
  ): Promise<number[]> {
    const rows = await this.uow.rows(
      readers.map(({ organisationId }) => organisationId),
      FIND_READERS_WITH_EVENTS,
      [readers.map(({ clientAppId }) => clientAppId), readers.map(({ position }) => position)],
    );
    return rows.map(({ at }) => at - 1);
  }

  /** A position below which every event was created before `at`. */
  async positionBefore(organisationId: string, at: Date): Promise<number> {
    const rows = await this.uow.rows(organisationId, POSITION_BEFORE, [at.toISOString()]);
    return rows[0]?.position ?? 0;
  }

  async readHorizon(tx: Tx): Promise<number> {
    const [row] = await execute(tx, READ_HORIZON, []);
    return row?.horizon ?? 0;
  }

  /** Records the current position of the feed, at most once a minute. */
  async recordPosition(tx: Tx): Promise<void> {
    await execute(tx, RECORD_MARK, []);
  }
}
