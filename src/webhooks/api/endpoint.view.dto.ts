import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import { eventTypes } from '../domain/event.js';
import { COUNTED_UP_TO, type EndpointHour, type EndpointStatistics } from '../endpoint-statistics.js';
import type { Recovery } from '../domain/recovery.js';
import type { WebhookEndpoint } from '../webhook-endpoints.service.js';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
const ENDPOINT = 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77';
const instant = { type: String, format: 'date-time', example: '2026-11-20T12:00:00.000Z' } as const;

export class EndpointView {
  @ApiProperty({ example: ENDPOINT })
  id: string;

  @ApiProperty({ example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  clientAppId: string;

  @ApiProperty({ example: 'https://hooks.example.com/vigia' })
  url: string;

  @ApiProperty({ type: String, nullable: true, example: 'Core banking, production' })
  description: string | null;

  @ApiProperty({ enum: eventTypes, isArray: true })
  eventTypes: string[];

  @ApiProperty({ enum: ['none', 'per_resource'] })
  ordering: string;

  @ApiProperty({
    enum: ['ACTIVE', 'PAUSED', 'DISABLED'],
    description: 'PAUSED: deliveries collect and wait. DISABLED: nothing is collected.',
  })
  status: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Why it is paused or disabled: ENDPOINT_GONE (it answered 410), FAILING_TOO_LONG, or words.',
  })
  statusReason: string | null;

  @ApiProperty({ ...instant, nullable: true, description: 'Since when every attempt has failed.' })
  failingSince: string | null;

  @ApiProperty({ ...instant, nullable: true, description: 'Left alone until then, because it only fails.' })
  heldUntil: string | null;

  @ApiProperty({
    ...instant,
    nullable: true,
    description: 'Until when the secret before the present one signs as well.',
  })
  previousSecretExpiresAt: string | null;

  @ApiProperty(instant)
  createdAt: string;

  @ApiProperty(instant)
  updatedAt: string;

  static of(endpoint: WebhookEndpoint): EndpointView {
    return {
      id: publicId('whe', endpoint.id),
      clientAppId: publicId('app', endpoint.clientAppId),
      url: endpoint.url,
      description: endpoint.description,
      eventTypes: [...endpoint.eventTypes],
      ordering: endpoint.ordering,
      status: endpoint.status,
      statusReason: endpoint.statusReason,
      failingSince: iso(endpoint.failingSince),
      heldUntil: iso(endpoint.heldUntil),
      previousSecretExpiresAt: iso(endpoint.previousSecretExpiresAt),
      createdAt: endpoint.createdAt.toISOString(),
      updatedAt: endpoint.updatedAt.toISOString(),
    };
  }
}

export class EndpointSecretView {
  @ApiProperty({ type: EndpointView })
  endpoint: EndpointView;

  @ApiProperty({
    example: 'whsec_…',
    description: 'The signing secret. Shown this once: keep it where your receiver finds it.',
  })
  secret: string;

  static of({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }): EndpointSecretView {
    return { endpoint: EndpointView.of(endpoint), secret };
  }
}

export class TestEventView {
  @ApiProperty({ example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' })
  eventId: string;

  @ApiProperty({
    example: 'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77',
    description: 'Where to see whether it arrived.',
  })
  deliveryId: string;
}

export class EndpointHourView {
  @ApiProperty({ ...instant, description: 'The beginning of the hour.' })
  hour: string;

  @ApiProperty({ type: 'integer', example: 1_204 })
  attempts: number;

  @ApiProperty({ type: 'integer', example: 1_200 })
  delivered: number;

  @ApiProperty({ type: 'integer', example: 4 })
  failedAttempts: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Given up after the whole schedule.' })
  exhausted: number;

  @ApiProperty({ type: 'integer', example: 0 })
  cancelled: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 12,
    description: 'Of one attempt, in milliseconds.',
  })
  averageMs: number | null;

  @ApiProperty({ type: 'integer', example: 210 })
  slowestMs: number;

  static of(hour: EndpointHour): EndpointHourView {
    return { ...hour, hour: hour.hour.toISOString() };
  }
}

export class EndpointStatisticsView {
  @ApiProperty({
    type: 'integer',
    example: 3,
    description: `Deliveries that wait; counted up to ${COUNTED_UP_TO}.`,
  })
  waiting: number;

  @ApiProperty({ ...instant, nullable: true, description: 'The age of the oldest of them.' })
  waitingSince: string | null;

  @ApiProperty({
    type: [EndpointHourView],
    description: 'Hours in which anything happened, the newest first.',
  })
  hours: EndpointHourView[];

  static of({ waiting, waitingSince, hours }: EndpointStatistics): EndpointStatisticsView {
    return { waiting, waitingSince: iso(waitingSince), hours: hours.map((row) => EndpointHourView.of(row)) };
  }
}

export class RecoveryView {
  @ApiProperty({ example: 'whr_01999e8e7c5b7d0f9a3c5f2d1b4e6a90' })
  id: string;

  @ApiProperty({ example: ENDPOINT })
  endpointId: string;

  @ApiProperty(instant)
  since: string;

  @ApiProperty(instant)
  until: string;

  @ApiProperty({ enum: eventTypes, isArray: true })
  types: string[];

  @ApiProperty({ example: false })
  dryRun: boolean;

  @ApiProperty({
    enum: ['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED'],
    description: 'CANCELLED: the endpoint was disabled or removed meanwhile.',
  })
  status: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    example: 40,
    description: 'Percent of the range.',
  })
  progress: number;

  @ApiProperty({ type: 'integer', example: 4_000, description: 'Events of the range and the types so far.' })
  events: number;

  @ApiProperty({
    type: 'integer',
    example: 37,
    description: 'Of those, how many the endpoint had not got and are (in a dry run: would be) sent.',
  })
  recovered: number;

  @ApiProperty(instant)
  createdAt: string;

  @ApiProperty({ ...instant, nullable: true })
  finishedAt: string | null;

  static of(row: Recovery): RecoveryView {
    return {
      id: publicId('whr', row.id),
      endpointId: publicId('whe', row.endpointId),
      since: row.since.toISOString(),
      until: row.until.toISOString(),
      types: [...row.eventTypes],
      dryRun: row.dryRun,
      status: row.status,
      progress: row.progress,
      events: row.events,
      recovered: row.recovered,
      createdAt: row.createdAt.toISOString(),
      finishedAt: iso(row.finishedAt),
    };
  }
}
