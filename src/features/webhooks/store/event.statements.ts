import {
  columns,
  composite,
  selectIds,
  isIn,
  unnested,
  type Clause,
} from '../../../platform/database/index.js';
import type { SubjectRef } from '../../../platform/privacy/index.js';
import { messageClause } from '../../../platform/queue/index.js';
import { HINT_SECONDS } from '../domain/schedule.js';
import type { EventData, EventType } from '../events.dto.js';
import { WebhookDeliveryEntity } from './entities.js';

/** An event as its publisher describes it. */
export type EventDraft = { [T in EventType]: Drafted<T> }[EventType];

interface Drafted<T extends EventType> {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly type: T;
  readonly resource: { readonly type: 'transaction' | 'session' | 'customer' | 'test'; readonly id: string };
  readonly sequence: number;
  readonly correlationId: string;
  /** W3C trace context of the request that led to the event; passed on to the receiver. */
  readonly traceparent?: string | null;
  readonly occurredAt: Date;
  readonly data: EventData[T];
  /** The person whose data key encrypts the stored payload: erasing that person makes it unreadable. */
  readonly subject: SubjectRef;
}

/** An event with its id and its final, encrypted bytes; made before the database transaction. */
export interface ComposedEvent {
  readonly id: string;
  readonly draft: EventDraft;
  readonly sealed: Buffer;
}

const EVENTS = unnested<ComposedEvent>(
  { uuid: ['id', 'draft.organisationId', 'draft.clientAppId'] },
  { text: { type: 'draft.type', resourceType: 'draft.resource.type' } },
  { uuid: { resourceId: 'draft.resource.id' }, int: ['draft.sequence'], bytea: { sealedPayload: 'sealed' } },
  { text: { traceparent: ({ draft }) => draft.traceparent ?? null } },
);
// Deliveries for the endpoints subscribed at commit time are inserted in the same statement, so no crash loses one.
const INSERT_EVENTS = `INSERT INTO events (${EVENTS.columns}, position)
  SELECT s.*, (SELECT base FROM event_feed) + pg_current_xact_id()::text::bigint FROM ${EVENTS.from()}`;
const RETURNED = 'RETURNING id, organisation_id, client_app_id, type';
const INSERT_DELIVERIES = `INSERT INTO webhook_deliveries (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
  SELECT time_ordered_uuid(p.id, w.id), p.organisation_id, p.id, w.id,
         now() + make_interval(secs => $1), now() + make_interval(secs => $2)
  FROM published p JOIN webhook_endpoints w ON w.client_app_id = p.client_app_id
    AND w.status IN ('ACTIVE', 'PAUSED') AND p.type = ANY (w.event_types)
  RETURNING id`;

/** Stores events. With `onlyFor`, stores only events about resources whose ids the clause returned. */
const publishClause = (events: readonly ComposedEvent[], onlyFor?: string): Clause => ({
  name: 'published',
  text:
    onlyFor === undefined
      ? `${INSERT_EVENTS} ${RETURNED}`
      : `${INSERT_EVENTS} WHERE ${isIn('s.resource_id', onlyFor)} ${RETURNED}`,
  values: EVENTS.arrays(events),
});

/** A delivery of each published event for each subscribed endpoint. */
const deliverClause = (firstWait: number): Clause => ({
  name: 'delivered',
  text: INSERT_DELIVERIES,
  // A delivery that is due immediately is queued in this commit; the reconciler announces it again if that job is lost.
  values: [firstWait, firstWait === 0 ? HINT_SECONDS : firstWait],
});

/** Clauses that publish only events about resources whose ids the clause `onlyFor` returned. */
export const publishClauses = (
  events: readonly ComposedEvent[],
  onlyFor: string,
  firstWait: number,
): Clause[] => [
  publishClause(events, onlyFor),
  deliverClause(firstWait),
  ...(firstWait === 0 ? [messageClause('announced', 'webhooks.delivery', 'delivered')] : []),
];

/** SQL condition for a statement with `publishClauses`: true if deliveries were stored. */
export const HAS_DELIVERIES = 'EXISTS (SELECT FROM delivered)';

/** Sample delays (s): statements are prepared for a first attempt without and with a delay. */
export const FIRST_WAITS = [0, 1] as const;

export const PUBLISH = composite('events-publish', {
  clauses: ({ events, firstWait }: { events: readonly ComposedEvent[]; firstWait: number }) => [
    publishClause(events),
    deliverClause(firstWait),
  ],
  every: { events: [[]], firstWait: [1] },
  result: selectIds('delivered'),
  shape: columns(WebhookDeliveryEntity, 'id'),
  prepared: true,
});

/** Stores an event with a delivery for one endpoint, even if it is not subscribed. */
export const PUBLISH_TO = composite('event-publish-to', {
  clauses: ({ events, endpointId }: { events: readonly ComposedEvent[]; endpointId: string }) => [
    publishClause(events),
    {
      name: 'delivered',
      text: `INSERT INTO webhook_deliveries (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
             SELECT time_ordered_uuid(p.id, $1), p.organisation_id, p.id, $1, now(), now() + make_interval(secs => $2)
             FROM published p RETURNING id`,
      values: [endpointId, HINT_SECONDS],
    },
  ],
  every: { events: [[]], endpointId: [''] },
  result: selectIds('delivered'),
  shape: columns(WebhookDeliveryEntity, 'id'),
  prepared: false,
});
