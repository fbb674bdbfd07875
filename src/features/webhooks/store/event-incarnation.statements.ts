import { properties, statement } from '../../../platform/database/index.js';
import { EventIncarnationEntity } from './entities.js';

/**
 * The identity of the database: the cluster, its timeline (new with each promotion and each point-in-time restore), and
 * the OID of the database (new with each restored dump).
 */
export const IDENTITY = `(SELECT c.system_identifier || ':' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
    || ':' || d.oid FROM pg_control_system() c, pg_database d WHERE d.datname = current_database())`;

/** The number of the current incarnation; null until it is recorded. */
export const PRESENT_LIFE = `(SELECT number FROM (SELECT number, identity FROM event_incarnations
    ORDER BY number DESC LIMIT 1) newest WHERE identity = ${IDENTITY})`;

export const STATE = statement('webhooks.feed-state', `SELECT ${IDENTITY} AS identity`, { identity: 'text' });

// The new incarnation begins at the newest mark. That mark was written before the restore, when all transactions below
// it had ended. If the counter went back within one database, only marks from before the server started are valid.
export const NOTICE = statement(
  'webhooks.notice-incarnation',
  `INSERT INTO event_incarnations (number, identity, point, reason)
   SELECT coalesce(max(number), 0) + 1, ${IDENTITY},
     (SELECT coalesce(max(position), 0) FROM event_marks WHERE NOT $1 OR at < pg_postmaster_start_time()),
     CASE WHEN count(*) = 0 THEN 'FIRST' WHEN $1 THEN 'REWOUND' ELSE 'RESTORED' END
   FROM event_incarnations
   HAVING $1::boolean OR count(*) = 0 OR (array_agg(identity ORDER BY number DESC))[1] <> ${IDENTITY}
   ON CONFLICT DO NOTHING
   RETURNING number, reason, point`,
  properties(EventIncarnationEntity, 'number', 'reason', 'point'),
);

export const LIVES = statement(
  'webhooks.feed-lives',
  `SELECT i.number, i.reason, i.point, i.noticed_at AS "noticedAt",
     (SELECT max(at) FROM event_marks m WHERE m.position <= i.point) AS "sameUntil"
   FROM event_incarnations i ORDER BY i.number`,
  {
    ...properties(EventIncarnationEntity, 'number', 'reason', 'point', 'noticedAt'),
    sameUntil: 'timestamptz | null',
  },
);

export const UNKNOWN_EVENTS = statement(
  'webhooks.unknown-events',
  `SELECT id FROM unnest($1::uuid[]) AS asked (id) WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = asked.id)
   ORDER BY id`,
  { id: 'uuid' },
);

export const UNKNOWN_DELIVERIES = statement(
  'webhooks.unknown-deliveries',
  `SELECT id FROM unnest($1::uuid[]) AS asked (id)
   WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = asked.id) ORDER BY id`,
  { id: 'uuid' },
);
