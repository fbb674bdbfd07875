import { Column, Entity, PrimaryColumn } from 'typeorm';

export type EndpointStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED';
export type EndpointOrdering = 'none' | 'per_resource';

@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('uuid', { name: 'client_app_id' })
  clientAppId: string;

  @Column('text')
  url: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { name: 'event_types', array: true })
  eventTypes: string[];

  @Column('text')
  ordering: EndpointOrdering;

  @Column('text')
  status: EndpointStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column('bytea', { name: 'sealed_secret' })
  sealedSecret: Buffer;

  @Column('bytea', { name: 'previous_sealed_secret', nullable: true })
  previousSealedSecret: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt: Date | null;

  /** Since when every attempt has failed; null after a success. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  /** Until when the circuit breaker leaves it alone. */
  @Column('timestamptz', { name: 'held_until', nullable: true })
  heldUntil: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', insert: false })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
