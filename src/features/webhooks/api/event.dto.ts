import { ApiProperty, PickType } from '@nestjs/swagger';
import { Field, PageInfoView, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { eventTypes, type EventEnvelope, type EventType } from '../events.dto.js';
import type { ListedEvent } from '../events/event-feed.service.js';
import { ANY_EVENT } from './webhook-envelope.dto.js';

/** Maximum wait of long polling: less than the usual timeouts of proxies. */
const LONGEST_WAIT_MS = 30_000;

export class FeedQuery extends PageQuery {
  @Field.enum(
    ['asc', 'desc'],
    'asc: in the order in which nothing is ever inserted later, for reading on. desc: the newest first, for looking.',
    { optional: true, default: 'asc' },
  )
  order: 'asc' | 'desc' = 'asc';

  @Field.integer(
    'At the end of the feed: for how many milliseconds the answer waits for an event. Without it the answer comes at once.',
    { min: 1, max: LONGEST_WAIT_MS, url: true, optional: true, example: 20_000 },
  )
  wait?: number;

  @Field.instant(
    'Where to begin without a cursor: events from this time on. Without it, the first event kept.',
    { optional: true },
  )
  since?: string;

  @Field.enums(eventTypes, 'Only these types, separated by commas or one by one.', {
    url: true,
    optional: true,
    example: ['session.created', 'session.completed'],
  })
  types?: EventType[];
}

/** Unlike in other lists, `nextCursor` in feed order is set even at the end: readers poll with it. */
export class FeedPageInfoView extends PageInfoView {
  @View.textOrNull(
    'Keep it once the page is processed and send it as `cursor` next time. Null only at the end of the newest first.',
    { example: 'WzQyLCIwMTk5OWU4ZS03YzViLTdkMGYtOWEzYy01ZjJkMWI0ZTZhMTEiXQ' },
  )
  declare nextCursor: string | null;
}

export class FeedView {
  @ApiProperty({
    type: 'array',
    items: ANY_EVENT,
    description:
      'The same bodies that webhooks carry; process each id once, whichever way it came, and pass over a type that you do ' +
      'not know.',
  })
  data: readonly EventEnvelope[];

  @View.object(FeedPageInfoView, 'Where the list goes on.') page: FeedPageInfoView;
  @View.noError() error: null;
}

export class TransactionEventsView extends PickType(FeedView, ['data', 'error'] as const) {}

export class OneEventView {
  @ApiProperty({
    oneOf: [ANY_EVENT, { type: 'null' }],
    description: 'The body that webhooks carry; null when the person it is about was erased.',
  })
  data: EventEnvelope | null;

  @View.noError() error: null;
}

export class EventQuery extends PageQuery {
  @Field.id('app', 'Whose events.', {
    form: 'the id of an application, app_…',
    defined: true,
    example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11',
  })
  clientAppId: string;

  @Field.enum(eventTypes, 'Only those of this type.', { optional: true }) type?: EventType;
}

export class EventView {
  @View.id('evt', 'The id of the event.', { example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' }) id: string;
  @View.enum(eventTypes, 'The type of the event.') type: string;
  @View.id('app', 'The id of the client application.', { example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  clientAppId: string;
  @View.enum(['transaction', 'session', 'customer', 'test'], 'The kind of thing that the event is about.')
  resourceType: string;
  @View.integer('Counts the events of one transaction, session or customer from 1.', { example: 2 })
  sequence: number;
  @View.instant('When the event was created.') createdAt: string;

  static of(event: ListedEvent): EventView {
    return viewOf(EventView, event, {});
  }
}

export class EventDetailView extends EventView {
  @View.jsonOrNull(
    'The body that receivers get, with session ids masked; null when the person it is about was erased.',
  )
  payload: object | null;

  static from(event: ListedEvent, envelope: EventEnvelope | null): EventDetailView {
    const eventView: Omit<EventDetailView, 'payload'> = EventView.of(event);
    return { ...eventView, payload: envelope && withoutSessionIds(envelope) };
  }
}

const SESSION_ID = /(ses_[A-Za-z0-9_-]{4})[A-Za-z0-9_-]+/g;

/** Masks all but the first four characters of each session id: the full id gives access to the session. */
export const withoutSessionIds = (envelope: EventEnvelope): object =>
  JSON.parse(JSON.stringify(envelope).replace(SESSION_ID, '$1…')) as object;
