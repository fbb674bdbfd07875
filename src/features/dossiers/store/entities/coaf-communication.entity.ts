import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { CommunicationRow } from '../../domain/records.js';

/** A communication to COAF, with its filing once recorded. */
@Regulated({ of: 'communication', by: 'id', links: { customer: 'customerId', review: 'reviewId' } })
@Entity('coaf_communications')
export class CoafCommunicationEntity implements CommunicationRow {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') kind: 'SUSPICION' | 'CASH';
  @Column('uuid', { nullable: true }) reviewId: string | null;
  @Column('uuid', { nullable: true }) transactionRef: string | null;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('integer', { nullable: true }) code: number | null;
  @Column('numeric', { nullable: true }) amountBrl: string | null;
  @Column('timestamptz') decidedAt: Date;
  @Column('timestamptz') dueAt: Date;
  @Column('text', { default: 'DRAFT' }) status: 'DRAFT' | 'RECORDED' | 'FILED' | 'DISMISSED';
  /** Incremented by every edit. */
  @Column('integer', { default: 0 }) revision: number;
  @Column('text', { nullable: true }) filingNumber: string | null;
  @Column('text', { nullable: true }) acknowledgement: string | null;
  @Column('timestamptz', { nullable: true }) receivedAt: Date | null;
  /** The request for approval of the filing, open or approved. */
  @Column('uuid', { nullable: true }) approvalId: string | null;
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('uuid', { nullable: true }) recordedBy: string | null;
  @Column('timestamptz', { nullable: true }) recordedAt: Date | null;
  @Column('uuid', { nullable: true }) confirmedBy: string | null;
  @Column('timestamptz', { nullable: true }) confirmedAt: Date | null;
  @Column('bytea', { nullable: true }) sealedContent: Buffer | null;
  @Column('bytea', { nullable: true }) contentHash: Buffer | null;
  @Column('timestamptz') createdAt: Date;
  @Column('bytea') trailHash: Buffer;
}
