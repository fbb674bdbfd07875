import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { eventTypes, type EventEnvelope } from '../events.dto.js';
import { withoutSessionIds } from './event.dto.js';
import { deliveryStatuses, type DeliveryStatus, type LoggedDelivery } from '../store/delivery-log.queries.js';
import type { LoggedAttempt } from '../delivery/delivery-log.service.js';

export class DeliveryQuery extends PageQuery {
  @Field.text('Only deliveries to this endpoint.', {
    max: 64,
    optional: true,
    example: 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77',
  })
  endpointId?: string;

  @Field.text('Only deliveries of this event.', {
    max: 64,
    optional: true,
    example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80',
  })
  eventId?: string;
  @Field.enum(deliveryStatuses, 'Only those with this status.', { optional: true }) status?: DeliveryStatus;
}

export class DeliveryView {
  @View.id('whd', 'As in X-Vigia-Delivery.', { example: 'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77' }) id: string;
  @View.id('evt', 'The id of the event, the same over all its deliveries.', {
    example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80',
  })
  eventId: string;
  @View.enum(eventTypes, 'The type of the event.') eventType: string;
  @View.integer('Counts the events of one transaction, session or customer from 1.', { example: 1 })
  sequence: number;
  @View.id('whe', 'The id of the webhook endpoint.', { example: 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77' })
  endpointId: string;
  @View.enum(deliveryStatuses, 'EXHAUSTED: given up after the whole schedule.') status: string;
  @View.integer('How many attempts.', { example: 2 }) attempts: number;
  @View.integerOrNull('The HTTP status of the last attempt; null when there was no answer.', { example: 503 })
  lastStatusCode: number | null;
  @View.textOrNull('Why the last attempt failed.', { example: 'HTTP_503' }) lastError: string | null;

  @View.instantOrNull('When it is tried next.') nextAttemptAt: string | null;

  @View.instant('When the delivery was created.') createdAt: string;
  @View.instantOrNull('When the delivery finished; null before.') finishedAt: string | null;

  static of(row: LoggedDelivery): DeliveryView {
    return viewOf(DeliveryView, row, {});
  }
}

export class AttemptView {
  @View.integer('Counts from 1.', { example: 1 }) number: number;
  @View.instant('When the attempt began.') startedAt: string;
  @View.integer('How long it took, in milliseconds.', { example: 37 }) durationMs: number;
  @View.integerOrNull('The HTTP status of the answer; null when there was none.', { example: 503 })
  statusCode: number | null;
  @View.textOrNull('TIMEOUT, ECONNREFUSED, …', { example: null }) errorCode: string | null;

  @View.textOrNull(
    'The beginning of the answer, at most 4 KiB, with secrets and document numbers masked; kept for thirty days.',
    { example: 'upstream not available' },
  )
  responseExcerpt: string | null;

  static of(row: LoggedAttempt): AttemptView {
    const { attempt, startedAt, durationMs, statusCode, errorCode, responseExcerpt } = row;
    const at = startedAt.toISOString();
    return { number: attempt, startedAt: at, durationMs, statusCode, errorCode, responseExcerpt };
  }
}

export interface DeliveryDetail {
  readonly delivery: LoggedDelivery;
  readonly attempts: readonly LoggedAttempt[];
  /** Null when the person that the event is about was erased. */
  readonly payload: EventEnvelope | null;
}

export class DeliveryDetailView extends DeliveryView {
  @View.list(AttemptView, 'Where to read what happened.') log: AttemptView[];
  @View.jsonOrNull('The body that is sent; null when the person it is about was erased.')
  payload: object | null;

  static from({ delivery, attempts, payload }: DeliveryDetail): DeliveryDetailView {
    const deliveryView: Omit<DeliveryView, never> = DeliveryView.of(delivery);
    return { ...deliveryView, log: attempts.map((row) => AttemptView.of(row)), payload };
  }
}

export class OperatorDeliveryDetailView extends DeliveryDetailView {
  /** Masks session ids: the id of a session gives access to it. */
  static override from(detailed: DeliveryDetail): OperatorDeliveryDetailView {
    const detailView: Omit<DeliveryDetailView, never> = DeliveryDetailView.from(detailed);
    return { ...detailView, payload: detailed.payload && withoutSessionIds(detailed.payload) };
  }
}
