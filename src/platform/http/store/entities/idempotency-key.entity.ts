import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** An idempotency key: the stored answer to its request, or the lease of the process that handles the request. */
@Unregulated('answers for a day, for repeated requests')
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn('bytea') slot: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') route: string;
  @Column('bytea') fingerprint: Buffer;
  @Column('integer', { default: 1 }) fence: number;
  @Column('timestamptz') leaseUntil: Date;
  @Column('boolean', { default: false }) effective: boolean;
  @Column('bytea', { nullable: true }) sealedAnswer: Buffer | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}
