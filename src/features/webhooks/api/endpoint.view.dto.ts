import { View, viewOf } from '../../../platform/http/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import { eventTypes } from '../events.dto.js';
import {
  MAX_COUNTED,
  MAX_TIMED_ATTEMPTS,
  successRateOf,
  type EndpointHour,
  type EndpointStatistics,
} from '../endpoints/endpoint-statistics.service.js';
import type { Recovery } from '../recoveries/recoveries.service.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoints.service.js';

const ENDPOINT = 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77';

export class EndpointView {
  @View.id('whe', 'The id of the endpoint.', { example: ENDPOINT }) id: string;
  @View.id('app', 'The id of the client application.', { example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  clientAppId: string;
  @View.text('The address of the endpoint.', { example: 'https://hooks.example.com/vigia' }) url: string;
  @View.textOrNull('What the endpoint is for, in words.', { example: 'Core banking, production' })
  description: string | null;
  @View.enums(eventTypes, 'The types of events that are sent.') eventTypes: string[];
  @View.enum(['none', 'per_resource'], 'Whether the events of one thing are sent in their order.')
  ordering: string;

  @View.enum(
    ['ACTIVE', 'PAUSED', 'DISABLED'],
    'PAUSED: deliveries collect and wait. DISABLED: nothing is collected.',
  )
  status: string;

  @View.textOrNull(
    'Why it is paused or disabled: ENDPOINT_GONE (it answered 410), FAILING_TOO_LONG, or words.',
    { example: null },
  )
  statusReason: string | null;

  @View.instantOrNull('Since when every attempt has failed.') failingSince: string | null;

  @View.instantOrNull('Left alone until then, because it only fails.') heldUntil: string | null;

  @View.instantOrNull('Until when the secret before the present one signs as well.')
  previousSecretExpiresAt: string | null;

  @View.texts(
    'Until when each secret before the present one signs as well, the newest first; five sign at most.',
    {
      example: ['2026-11-20T12:00:00.000Z'],
    },
  )
  olderSecretsExpireAt: string[];

  @View.instant('When the endpoint was created.') createdAt: string;
  @View.instant('When the endpoint was last changed.') updatedAt: string;

  static of(endpoint: WebhookEndpoint): EndpointView {
    return viewOf(EndpointView, endpoint, {
      eventTypes: [...endpoint.eventTypes],
      previousSecretExpiresAt: instantText(endpoint.olderSecretsExpireAt[0] ?? null),
      olderSecretsExpireAt: endpoint.olderSecretsExpireAt.map((until) => until.toISOString()),
    });
  }
}

export class EndpointSecretView {
  @View.object(EndpointView, 'The webhook endpoint.') endpoint: EndpointView;

  @View.text('The signing secret. Shown this once: keep it where your receiver finds it.', {
    example: 'whsec_…',
  })
  secret: string;

  static of({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }): EndpointSecretView {
    return { endpoint: EndpointView.of(endpoint), secret };
  }
}

export class TestEventView {
  @View.id('evt', 'The id of the event, the same over all its deliveries.', {
    example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80',
  })
  eventId: string;

  @View.id('whd', 'Where to see whether it arrived.', { example: 'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77' })
  deliveryId: string;
}

export class EndpointHourView {
  @View.instant('The beginning of the hour.') hour: string;
  @View.integer('How many attempts.', { example: 1_204 }) attempts: number;
  @View.integer('How many were delivered.', { example: 1_200 }) delivered: number;
  @View.integer('How many attempts failed.', { example: 4 }) failedAttempts: number;
  @View.integer('Given up after the whole schedule.', { example: 0 }) exhausted: number;
  @View.integer('How many were cancelled.', { example: 0 }) cancelled: number;
  @View.integerOrNull('Of one attempt, in milliseconds.', { example: 12 }) averageMs: number | null;
  @View.integer('The longest time, in milliseconds.', { example: 210 }) slowestMs: number;
  @View.numberOrNull('The share of the attempts that succeeded, from 0 to 1.', { example: 0.9967 })
  successRate: number | null;

  static of(row: EndpointHour): EndpointHourView {
    const { hour, attempts, delivered, failedAttempts, exhausted, cancelled, averageMs, slowestMs } = row;
    const counts = { attempts, delivered, failedAttempts, exhausted, cancelled };
    const { successRate } = row;
    return { hour: hour.toISOString(), ...counts, averageMs, slowestMs, successRate };
  }
}

export class EndpointDurationsView {
  @View.integer('How many attempts were looked at: the newest of the time.', { example: 1_204 })
  attempts: number;

  @View.integerOrNull('Half of them took no longer, in milliseconds.', { example: 9 }) p50Ms: number | null;
  @View.integerOrNull('Of a hundred, 95 took no longer.', { example: 41 }) p95Ms: number | null;
  @View.integerOrNull('Of a hundred, 99 took no longer.', { example: 118 }) p99Ms: number | null;
}

export class EndpointStatisticsView {
  @View.integer(`Deliveries that wait; counted up to ${MAX_COUNTED}.`, { example: 3 }) waiting: number;

  @View.instantOrNull('The age of the oldest of them.') waitingSince: string | null;

  @View.numberOrNull('The share of the attempts that succeeded, from 0 to 1; null when there were none.', {
    minimum: 0,
    maximum: 1,
    example: 0.9967,
  })
  successRate: number | null;

  @View.object(EndpointDurationsView, `Of the newest attempts, up to ${MAX_TIMED_ATTEMPTS}.`)
  durations: EndpointDurationsView;

  @View.list(EndpointHourView, 'Hours in which anything happened, the newest first.')
  hours: EndpointHourView[];

  static of({ waiting, waitingSince, hours, durations }: EndpointStatistics): EndpointStatisticsView {
    const { attempts, p50, p95, p99 } = durations;
    return {
      successRate: successRateOf(hours),
      durations: { attempts, p50Ms: p50, p95Ms: p95, p99Ms: p99 },
      waiting,
      waitingSince: instantText(waitingSince),
      hours: hours.map((row) => EndpointHourView.of(row)),
    };
  }
}

export class RecoveryView {
  @View.id('whr', 'The id of the recovery.', { example: 'whr_01999e8e7c5b7d0f9a3c5f2d1b4e6a90' }) id: string;
  @View.id('whe', 'The id of the webhook endpoint.', { example: ENDPOINT }) endpointId: string;
  @View.instant('From when.') since: string;
  @View.instant('Until when.') until: string;
  @View.flag(
    'Whether `since` is before the endpoint was made: it then gets events from before it was there.',
    {
      example: false,
    },
  )
  beforeEndpoint: boolean;

  @View.enums(eventTypes, 'The types to which it applies.') types: string[];
  @View.flag('Whether it only counts and changes nothing.', { example: false }) dryRun: boolean;

  @View.enum(
    ['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED'],
    'CANCELLED: the endpoint was disabled or removed meanwhile.',
  )
  status: string;

  @View.integer('Percent of the range.', { minimum: 0, maximum: 100, example: 40 }) progress: number;
  @View.integer('Events of the range and the types so far.', { example: 4_000 }) events: number;

  @View.integer('Of those, how many the endpoint had not got and are (in a dry run: would be) sent.', {
    example: 37,
  })
  recovered: number;

  @View.instant('When the recovery was created.') createdAt: string;
  @View.instantOrNull('When the recovery finished; null before.') finishedAt: string | null;

  static of(row: Recovery): RecoveryView {
    return viewOf(RecoveryView, row, {
      types: [...row.eventTypes],
    });
  }
}
