import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
