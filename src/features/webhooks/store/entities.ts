import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';

/** A single row: the offset that is added to transaction ids to give positions in the feed. */
@Unregulated('where positions are counted from')
@Entity('event_feed')
export class EventFeedEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('bigint') base: string;
  @Column('bigint') cluster: string;
}

/** An incarnation of the feed of all events, with the position at which it began. */
@Unregulated('which lives the feed had')
@Entity('event_incarnations')
export class EventIncarnationEntity {
  @PrimaryColumn('integer') number: number;
  @Column('text') identity: string;
  @Column('bigint') point: string;
  @Column('text') reason: 'FIRST' | 'RESTORED' | 'REWOUND';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) noticedAt: Date;
}

/** The position that the event feed had reached at a time; written about once a minute. */
@Unregulated('which position was reached when')
@Entity('event_marks')
export class EventMarkEntity {
  @PrimaryColumn('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
  @Column('bigint') position: string;
  @Column('bigint', { default: '9223372036854775807' }) top: string;
}

/** A published event with its encrypted payload. */
@Unregulated('two for each transaction; counted against their sequence')
@Entity('events')
export class EventEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') type: string;
  @Column('text') resourceType: string;
  @Column('uuid') resourceId: string;
  @Column('integer') sequence: number;
  @Column('bytea') sealedPayload: Buffer;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('bigint', { default: () => '((pg_current_xact_id()))' }) position: string;
}

@Unregulated('a log of the delivery')
@Entity('webhook_attempts')
export class WebhookAttemptEntity {
  @PrimaryColumn('uuid') deliveryId: string;
  @PrimaryColumn('integer') attempt: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) startedAt: Date;
  @Column('integer') durationMs: number;
  @Column('integer', { nullable: true }) statusCode: number | null;
  @Column('text', { nullable: true }) errorCode: string | null;
  @Column('text', { nullable: true }) responseExcerpt: string | null;
  @Column('uuid') organisationId: string;
}

@Unregulated('the end of each delivery is an entry; binding each would halve the throughput')
@Entity('webhook_deliveries')
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organisationId: string;
  @Column('uuid') eventId: string;
  @Column('uuid') endpointId: string;
  @Column('text', { default: 'PENDING' }) status:
    'PENDING' | 'SENDING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELLED';
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz') dueAt: Date;
  @Column('timestamptz') wakeAt: Date;
  @Column('text', { nullable: true }) leaseOwner: string | null;
  @Column('integer', { nullable: true }) lastStatusCode: number | null;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('integer', { default: 0 }) baseAttempts: number;
  @Column('integer', { default: 0 }) rounds: number;
}

/** The counts of attempts at an endpoint in an hour. */
@Unregulated('statistics')
@Entity('webhook_endpoint_hours')
export class WebhookEndpointHourEntity {
  @PrimaryColumn('uuid') endpointId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('timestamptz') hour: Date;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) delivered: number;
  @Column('integer', { default: 0 }) failedAttempts: number;
  @Column('integer', { default: 0 }) exhausted: number;
  @Column('integer', { default: 0 }) cancelled: number;
  @Column('bigint', { default: 0 }) durationMs: string;
  @Column('integer', { default: 0 }) slowestMs: number;

  /** The share of the attempts that succeeded, from 0 to 1; null if there were none. */
  get successRate(): number | null {
    return successRateOf([this]);
  }

  get averageMs(): number | null {
    return this.attempts === 0 ? null : Math.round(Number(this.durationMs) / this.attempts);
  }
}

/** The share of the attempts that succeeded, from 0 to 1, rounded to four digits; null if there were none. */
export function successRateOf(
  hours: readonly Pick<WebhookEndpointHourEntity, 'attempts' | 'failedAttempts'>[],
): number | null {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failedAttempts, 0);
  return attempts === 0 ? null : Math.round((10_000 * (attempts - failed)) / attempts) / 10_000;
}

export type EndpointStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED';
export type EndpointOrdering = 'none' | 'per_resource';

/** A webhook endpoint: a URL that receives events. */
@Regulated({
  of: 'webhook_endpoint',
  by: 'id',
  free: {
    updatedAt: 'when the row was written last',
    failingSince: 'measured on the last deliveries',
    lastFailureAt: 'measured on the last deliveries',
    heldUntil: 'measured on the last deliveries',
  },
})
@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') url: string;
  @Column('text', { array: true }) eventTypes: string[];
  @Column('text', { default: 'ACTIVE' }) status: EndpointStatus;
  @Column('text', { nullable: true }) statusReason: string | null;
  /** The encrypted signing secret. Only queries that name the column read it. */
  @Column('bytea', { select: false }) sealedSecret: Buffer;
  /** The earlier secrets, the newest first. */
  @Column('bytea', { array: true, default: '{}', select: false }) olderSealedSecrets: Buffer[];
  /** The expiry of each earlier secret, in the same order. */
  @Column('timestamptz', { array: true, default: '{}' }) olderSecretsExpireAt: Date[];
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false, update: false })
  createdAt: Date;
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false }) updatedAt: Date;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text', { default: 'none' }) ordering: EndpointOrdering;
  /** The time of the first failure since the last success; null after a success. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('timestamptz', { nullable: true }) lastFailureAt: Date | null;
  /** The time until which the open circuit breaker keeps deliveries from the endpoint. */
  @Column('timestamptz', { nullable: true }) heldUntil: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}

/** A recovery: a job that sends an endpoint the events of a time range that it has never received. */
@Unregulated('how far a repetition is; it is asked for by an entry')
@Entity('webhook_recoveries')
export class WebhookRecoveryEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') endpointId: string;
  @Column('timestamptz') since: Date;
  @Column('timestamptz') until: Date;
  @Column('text', { array: true }) eventTypes: string[];
  @Column('boolean') dryRun: boolean;
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  @Column('bigint') reachedPosition: string;
  @Column('uuid') reachedId: string;
  @Column('bigint') stopPosition: string;
  /** The number of events of the range and the types that were read so far. */
  @Column('integer', { default: 0 }) events: number;
  /** The number of events that were sent or, in a dry run, would be. */
  @Column('integer', { default: 0 }) recovered: number;
  @Column('text') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) touchedAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('bigint', { default: 0 }) startPosition: string;

  /** Percent, from 0 to 100. */
  get progress(): number {
    if (this.status === 'COMPLETED') return 100;
    const start = Number(this.startPosition);
    const done = (Number(this.reachedPosition) - start) / Math.max(1, Number(this.stopPosition) - start);
    return Math.floor(Math.min(99, 100 * done));
  }
}

export const webhooksEntities = [
  EventFeedEntity,
  EventIncarnationEntity,
  EventMarkEntity,
  EventEntity,
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointHourEntity,
  WebhookEndpointEntity,
  WebhookRecoveryEntity,
];
