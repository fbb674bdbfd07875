import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../platform/database/regulated/regulated.js';
import type { CommunicationRow } from '../domain/records.js';

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

@Regulated({ of: 'communication', by: 'communicationId' })
@Entity('coaf_edits')
export class CoafEditEntity {
  @PrimaryColumn('uuid') communicationId: string;
  @PrimaryColumn('integer') revision: number;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') editedBy: string;
  @Column('timestamptz') editedAt: Date;
  @Column('text', { array: true }) fields: string[];
  @Column('bytea') sealed: Buffer;
}

@Regulated({ of: 'coaf_institution', by: 'organisationId' })
@Entity('coaf_institutions')
export class CoafInstitutionEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') taxId: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) branchNumber: string | null;
  @Column('text', { nullable: true }) branchName: string | null;
  @Column('text', { nullable: true }) city: string | null;
  @Column('text', { nullable: true }) state: string | null;
  @Column('timestamptz') updatedAt: Date;
}

export const dossiersEntities = [CoafCommunicationEntity, CoafEditEntity, CoafInstitutionEntity];
