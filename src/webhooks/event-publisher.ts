import { Injectable } from '@nestjs/common';
import { Checkpoints } from '../audit/index.js';
import { CURRENT_API_VERSION, Settings } from '../config/index.js';
import { among, composite, execute, sqlArray, type Clause, type Tx } from '../database/index.js';
import { newUuid, publicId } from '../kernel/index.js';
import { sealContext, Vault, type SubjectRef } from '../privacy/index.js';
import { Outbox } from '../queue/index.js';
import type { EventData } from './domain/event-data.js';
import type { EventEnvelope, EventType } from './domain/event.js';
import { HINT_SECONDS } from './domain/schedule.js';

/** An event as the feature that it is about describes it. */
export type EventDraft = { [T in EventType]: Drafted<T> }[EventType];

interface Drafted<T extends EventType> {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly type: T;
  readonly resource: { readonly type: 'transaction' | 'session' | 'customer' | 'test'; readonly id: string };
  readonly sequence: number;
  readonly correlationId: string;
  /** W3C trace context of the request that led to it; handed on to the receiver. */
  readonly traceparent?: string | null;
  readonly occurredAt: Date;
  readonly data: EventData[T];
  /** Whose data key seals the stored payload: erasing that person erases what was told about them. */
  readonly subject: SubjectRef;
}

/** An event with its id and its final, sealed bytes; made outside the transaction. */
export interface ComposedEvent {
  readonly id: string;
  readonly draft: EventDraft;
  readonly sealed: Buffer;
}

// Whoever is subscribed when the event commits gets a delivery in the same statement: nothing can be lost between.
const EVENTS = `unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::int[], $8::bytea[],
    $9::text[])
  AS s (id, organisation_id, client_app_id, type, resource_type, resource_id, sequence, sealed_payload, traceparent)`;
const PUBLISHED = `INSERT INTO events
    (id, organisation_id, client_app_id, type, resource_type, resource_id, sequence, sealed_payload, traceparent, position)
  SELECT s.*, (SELECT base FROM event_feed) + pg_current_xact_id()::text::bigint FROM ${EVENTS}`;
const RETURNED = 'RETURNING id, organisation_id, client_app_id, type';
const DELIVERED = `INSERT INTO webhook_deliveries (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
  SELECT time_ordered_uuid(p.id, w.id), p.organisation_id, p.id, w.id,
         now() + make_interval(secs => $1), now() + make_interval(secs => $2)
  FROM published p JOIN webhook_endpoints w ON w.client_app_id = p.client_app_id
    AND w.status IN ('ACTIVE', 'PAUSED') AND p.type = ANY (w.event_types)
  RETURNING id`;

/** Writes events and their deliveries in the commit that they report. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly vault: Vault,
    private readonly checkpoints: Checkpoints,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  /** Fixes the bytes of an event. The vault must have been prepared for the draft's subject. */
  compose(draft: EventDraft): ComposedEvent {
    const id = newUuid();
    const envelope: Readonly<Record<keyof EventEnvelope, unknown>> = {
      id: publicId('evt', id),
      type: draft.type,
      timestamp: draft.occurredAt.toISOString(),
      apiVersion: CURRENT_API_VERSION,
      environment: this.settings.environment,
      sequence: draft.sequence,
      correlationId: draft.correlationId,
      test: draft.resource.type === 'test',
      audit: this.checkpoints.newest(draft.organisationId),
      data: draft.data,
    };
    const context = sealContext('events', id, draft.organisationId);
    return { id, draft, sealed: this.vault.seal(JSON.stringify(envelope), draft.subject, context) };
  }

  /** Stores composed events with a delivery for each subscribed endpoint, and announces those that are due at once. */
  async publish(tx: Tx, events: readonly ComposedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const clauses = [
      { name: 'published', text: `${PUBLISHED} ${RETURNED}`, values: columnsOf(events) },
      this.delivered(),
    ];
    const statement = composite('events-publish', clauses, 'SELECT id FROM delivered', { prepared: true });
    const deliveries = await execute<{ id: string }>(tx, statement, statement.values);
    if (this.firstWait === 0) {
      this.outbox.append(
        tx,
        'webhooks.delivery',
        deliveries.map((row) => row.id),
      );
    }
  }

  /** Stores a composed event for one endpoint only, whatever that is subscribed to; returns the delivery's id. */
  async publishTo(tx: Tx, event: ComposedEvent, endpointId: string): Promise<string> {
    const delivered: Clause = {
      name: 'delivered',
      text: `INSERT INTO webhook_deliveries (id, organisation_id, event_id, endpoint_id, due_at, wake_at)
             SELECT time_ordered_uuid(p.id, $1), p.organisation_id, p.id, $1, now(), now() + make_interval(secs => $2)
             FROM published p RETURNING id`,
      values: [endpointId, HINT_SECONDS],
    };
    const published = { name: 'published', text: `${PUBLISHED} ${RETURNED}`, values: columnsOf([event]) };
    const { text, values } = composite(
      'event-publish-to',
      [published, delivered],
      'SELECT id FROM delivered',
      {
        prepared: false,
      },
    );
    const [row] = await execute<{ id: string }>(tx, { text }, values);
    if (!row) throw new Error('an insert returned nothing');
    this.outbox.append(tx, 'webhooks.delivery', [row.id]);
    return row.id;
  }

  /** As `publish`, for a composite statement: the events about those resources whose id an earlier clause returned. */
  publishClauses(events: readonly ComposedEvent[], onlyFor: string): Clause[] {
    const text = `${PUBLISHED} WHERE ${among('s.resource_id', onlyFor)} ${RETURNED}`;
    const clauses = [{ name: 'published', text, values: columnsOf(events) }, this.delivered()];
    return this.firstWait === 0
      ? [...clauses, this.outbox.clause('announced', 'webhooks.delivery', 'delivered')]
      : clauses;
  }

  private get firstWait(): number {
    return this.settings.webhookScheduleSeconds[0] ?? 0;
  }

  private delivered(): Clause {
    // One that is due at once is announced now; the reconciler looks after it only when that got lost.
    const wake = this.firstWait === 0 ? HINT_SECONDS : this.firstWait;
    return { name: 'delivered', text: DELIVERED, values: [this.firstWait, wake] };
  }
}

const columnsOf = (events: readonly ComposedEvent[]): unknown[] => [
  sqlArray.uuids(events.map((event) => event.id)),
  sqlArray.uuids(events.map((event) => event.draft.organisationId)),
  sqlArray.uuids(events.map((event) => event.draft.clientAppId)),
  sqlArray.text(events.map((event) => event.draft.type)),
  sqlArray.text(events.map((event) => event.draft.resource.type)),
  sqlArray.uuids(events.map((event) => event.draft.resource.id)),
  sqlArray.plain(events.map((event) => event.draft.sequence)),
  sqlArray.bytes(events.map((event) => event.sealed)),
  sqlArray.text(events.map((event) => event.draft.traceparent ?? null)),
];
