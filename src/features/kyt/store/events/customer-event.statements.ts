import { appendClause } from '../../../audit/index.js';
import {
  columns,
  composite,
  properties,
  statement,
  unnested,
  type Rows,
} from '../../../../platform/database/index.js';
import type { PreparedEvent } from '../../domain/events/prepared-event.js';
import { KytCustomerEventEntity } from '../entities.js';
import { sealedKeyExists } from '../trail-state.queries.js';

const NEW = unnested<PreparedEvent>(
  { uuid: ['id', 'organisationId', 'clientAppId'], text: ['event.eventId'] },
  { code: ['event.type'], text: ['event.channel'], timestamptz: ['event.occurredAt', 'receivedAt'] },
  { bytea: ['fingerprint'] },
  { bytea: { documentKey: 'keys.document', customerKey: 'keys.customer', externalKey: 'keys.external' } },
  { bytea: { accountKey: 'keys.account', deviceKey: 'keys.device', ipKey: 'keys.ip' } },
  { bytea: ['sealedBody'] },
  { codes: { warnings: ({ event: { warnings } }) => (warnings.length > 0 ? warnings : null) } },
  { text: ['requestId', 'correlationId'], bytea: { trailHash: 'received.hash' } },
);

/** Stores the events whose id is new, with their entries; returns them. */
export const INGEST_EVENTS = composite('kyt-ingest-events', {
  clauses: ({ rows }: { readonly rows: readonly PreparedEvent[] }) => [
    {
      name: 'created',
      text: `INSERT INTO kyt_customer_events (${NEW.columns})
         SELECT ${NEW.read} FROM ${NEW.from()}
         ON CONFLICT ON CONSTRAINT kyt_customer_events_once DO NOTHING
         RETURNING id, organisation_id, client_app_id, type, seq`,
      values: NEW.arrays(rows),
    },
    {
      // In the order of the key, so that two batches wait for each other instead of deadlocking.
      name: 'types',
      text: `INSERT INTO kyt_customer_event_types (client_app_id, type, organisation_id, first_seq)
         SELECT DISTINCT ON (client_app_id, type) client_app_id, type, organisation_id, seq FROM created
         ORDER BY client_app_id, type, seq
         ON CONFLICT DO NOTHING`,
      values: [],
    },
    appendClause(
      rows.map(({ received }) => received),
      'created',
    ),
  ],
  every: { rows: [[]] },
  result: 'SELECT id, seq FROM created',
  shape: columns(KytCustomerEventEntity, 'id', 'seq'),
  prepared: true,
});

/** Identifies an event: the application and its own id of the event. */
export type EventKey = Pick<PreparedEvent, 'organisationId' | 'clientAppId' | 'event'>;

export const EVENT_KEYS = unnested<EventKey>(
  { uuid: ['clientAppId'], text: ['event.eventId'] },
  { uuid: ['organisationId'] },
);

/** Reads the original event of an id that was sent again. */
export const FIND_FIRST_EVENTS = statement(
  'kyt.select-first-events',
  `SELECT s.i, e.id, e.fingerprint, e.request_id AS "requestId", e.warnings, e.sealed_body AS "sealedBody"
   FROM ${EVENT_KEYS.from(1, 's', 'i')}
   JOIN kyt_customer_events e ON e.client_app_id = s.client_app_id AND e.event_id = s.event_id
     AND e.organisation_id = s.organisation_id`,
  {
    ...properties(KytCustomerEventEntity, 'id', 'fingerprint', 'requestId', 'warnings', 'sealedBody'),
    i: 'bigint',
  },
);

/** Reads the rows of events whose trails are verified. */
export const TRAIL_EVENTS = statement(
  'kyt.trail-customer-events',
  `SELECT e.id, e.organisation_id, e.client_app_id, e.event_id, e.type, e.channel, e.occurred_at, e.received_at,
     encode(e.fingerprint, 'hex') AS fingerprint, e.document_key, e.customer_key, e.external_key, e.account_key,
     e.device_key, e.ip_key, sha256(e.sealed_body) AS body_digest, ${sealedKeyExists('e.sealed_body', 0)} AS has_key,
     e.warnings, e.request_id, e.correlation_id, e.trail_hash
   FROM kyt_customer_events e WHERE e.id = ANY($1::uuid[]) AND e.organisation_id = $2`,
  {
    ...columns(KytCustomerEventEntity, 'id', 'organisationId', 'clientAppId', 'eventId', 'type', 'channel'),
    ...columns(KytCustomerEventEntity, 'occurredAt', 'receivedAt', 'documentKey', 'customerKey'),
    ...columns(KytCustomerEventEntity, 'externalKey', 'accountKey', 'deviceKey', 'ipKey', 'warnings'),
    ...columns(KytCustomerEventEntity, 'requestId', 'correlationId', 'trailHash'),
    fingerprint: 'text',
    body_digest: 'bytea',
    has_key: 'boolean',
  },
);

/** The original event of an id that was sent again. */
export type FirstEvent = Rows<typeof FIND_FIRST_EVENTS>;
