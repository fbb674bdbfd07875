import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

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
