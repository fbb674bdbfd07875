import { Injectable } from '@nestjs/common';
import { column, execute, nullable, statement, UnitOfWork, type Tx } from '../../database/index.js';
import type { EventType } from '../events.dto.js';
import { EventEntity } from './entities/event.entity.js';

/** A place in the order of events: after this event. */
export interface FeedPlace {
  readonly position: number;
  readonly id: string;
}

export interface FeedRow extends Readonly<Pick<EventEntity, 'id' | 'sealedPayload'>> {
  readonly position: number;
}

export interface FeedSlice {
  readonly rows: readonly FeedRow[];
  /** Nothing can be committed below it any more. */
  readonly horizon: number;
}

/** Where ids end. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Everything that transactions below this have written is visible: none of them is under way. */
export const HORIZON = `(SELECT base FROM event_feed) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

// One statement, and so one snapshot: the horizon is the one by which the rows were chosen.
const SLICE = statement(
  'webhooks.feed-slice',
  `
      WITH horizon AS MATERIALIZED (SELECT ${HORIZON} AS at)
      SELECT h.at::float8 AS horizon, e.id, e.position::float8 AS position, e.sealed_payload AS "sealedPayload"
      FROM horizon h LEFT JOIN LATERAL (
        SELECT id, position, sealed_payload FROM events
        WHERE client_app_id = $1 AND (position, id) > ($2::bigint, $3::uuid) AND position < h.at
          AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::text[] IS NULL OR type = ANY ($5))
          AND resource_type <> 'test'
        ORDER BY position, id LIMIT $6) e ON true
      ORDER BY e.position, e.id`,
  {
    horizon: 'float8',
    id: nullable(column(EventEntity, 'id')),
    position: 'float8 | null',
    sealedPayload: nullable(column(EventEntity, 'sealedPayload')),
  },
);

const POSITION_BEFORE = statement(
  'webhooks.position-before',
  `SELECT coalesce(max(position), 0)::float8 AS position FROM event_marks WHERE at <= $1`,
  { position: 'float8' },
);

const MARK = statement(
  'webhooks.mark',
  `INSERT INTO event_marks (at, position, top)
      SELECT clock_timestamp(), ${HORIZON},
        (SELECT base FROM event_feed) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      WHERE NOT EXISTS (SELECT FROM event_marks WHERE at > now() - interval '1 minute')
      ON CONFLICT DO NOTHING`,
);

/** Events in their order. */
@Injectable()
export class EventFeedQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Up to `limit` events of an application after a place, of those that no late commit can precede any more. */
  async slice(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    after: FeedPlace,
    since: Date | null,
    types: readonly EventType[] | null,
    limit: number,
  ): Promise<FeedSlice> {
    const values = [owner.clientAppId, after.position, after.id, since?.toISOString() ?? null, types, limit];
    const rows = await this.uow.read(owner.organisationId, (db) => execute(db, SLICE, values));
    return {
      horizon: rows[0]?.horizon ?? 0,
      rows: rows.flatMap(({ id, position, sealedPayload }) =>
        id === null || position === null || sealedPayload === null ? [] : [{ id, position, sealedPayload }],
      ),
    };
  }

  /** A position below which everything was made before that time. */
  async positionBefore(organisationId: string, at: Date): Promise<number> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, POSITION_BEFORE, [at.toISOString()]),
    );
    return rows[0]?.position ?? 0;
  }

  /** Notes, once a minute, which position was reached. */
  async mark(tx: Tx): Promise<void> {
    await execute(tx, MARK, []);
  }
}
