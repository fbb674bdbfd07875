import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

export type EndpointStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED';
export type EndpointOrdering = 'none' | 'per_resource';

/** An address that events are delivered to. */
@Regulated({
  of: 'webhook_endpoint',
  by: 'id',
  columns: [
    'id',
    'organisationId',
    'clientAppId',
    'url',
    'eventTypes',
    'status',
    'statusReason',
    'sealedSecret',
    'olderSealedSecrets',
    'olderSecretsExpireAt',
    'createdAt',
    'description',
    'ordering',
    'deletedAt',
  ],
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
  /** Like the older ones, read only by whoever asks for it by name. */
  @Column('bytea', { select: false }) sealedSecret: Buffer;
  /** Those before it, the newest first. */
  @Column('bytea', { array: true, default: '{}', select: false }) olderSealedSecrets: Buffer[];
  /** Until when each of these signs as well. */
  @Column('timestamptz', { array: true, default: '{}' }) olderSecretsExpireAt: Date[];
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false, update: false })
  createdAt: Date;
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false }) updatedAt: Date;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text', { default: 'none' }) ordering: EndpointOrdering;
  /** Since when every attempt has failed; null after a success. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('timestamptz', { nullable: true }) lastFailureAt: Date | null;
  /** Until when the circuit breaker leaves it alone. */
  @Column('timestamptz', { nullable: true }) heldUntil: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}
