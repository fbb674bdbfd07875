import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../platform/database/regulated/regulated.js';

/** An owner or representative of a company, as the newest session of the company named them. */
@Regulated({ of: 'customer', by: 'companyId' })
@Entity('customer_relations')
export class CustomerRelationEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') companyId: string;
  @PrimaryColumn('uuid') personId: string;
  @PrimaryColumn('text') kind: 'OWNER' | 'REPRESENTATIVE';
  /** In percent, with two decimals. */
  @Column('numeric', { nullable: true, precision: 5, scale: 2 }) share: string | null;
  @Column('uuid') sessionId: string;
  @Column('timestamptz') recordedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
}

/** A customer of an organisation; names and documents are encrypted. */
@Regulated({
  of: 'customer',
  by: 'id',
  free: {
    lastActivityAt: 'moves with every transaction',
    updatedAt: 'when the row was written last',
    keysChangedAt: 'a mark for the other processes',
  },
})
@Entity('customers')
export class CustomerEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid', { nullable: true }) clientAppId: string | null;
  @Column('text', { nullable: true }) personType: 'NATURAL' | 'LEGAL' | null;
  @Column('text') assurance: 'DECLARED' | 'DOCUMENT' | 'VERIFIED';
  @Column('text') identifiedBy: 'KYT' | 'SESSION' | 'OPERATOR';
  @Column('bytea') subjectIndex: Buffer;
  @Column('bytea', { nullable: true }) externalIndex: Buffer | null;
  @Column('bytea', { nullable: true }) documentIndex: Buffer | null;
  @Column('bytea', { nullable: true }) maskedIndex: Buffer | null;
  @Column('bytea') sealed: Buffer;
  @Column('boolean') named: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) identifiedAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
  @Column('bytea') trailHash: Buffer;
  @Column('text', { nullable: true }) riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  @Column('text', { nullable: true }) riskLevelBy: 'SYSTEM' | 'OPERATOR' | null;
  @Column('uuid', { nullable: true }) mergedInto: string | null;
  @Column('date', { nullable: true }) relationshipEndedOn: string | null;
  @Column('timestamptz', { nullable: true }) lastActivityAt: Date | null;
  @Column('uuid', { nullable: true }) legalHoldBy: string | null;
  @Column('timestamptz', { nullable: true }) legalHoldAt: Date | null;
  @Column('bytea', { nullable: true }) legalHoldReason: Buffer | null;
  @Column('timestamptz', { nullable: true }) restrictedAt: Date | null;
  @Column('timestamptz', { nullable: true }) erasedAt: Date | null;
  @Column('integer', { default: 1 }) profileVersion: number;
  @Column('timestamptz', { nullable: true }) mergedAt: Date | null;
  @Column('timestamptz', { nullable: true }) keysChangedAt: Date | null;
  /** True if one person alone lowered the risk level in force. */
  @Column('boolean', { default: false }) riskSingleControl: boolean;
  /** The risk level that more than one operator stands behind, where an operator set it. */
  @Column('text', { nullable: true }) riskConfirmed: 'LOW' | 'MEDIUM' | 'HIGH' | null;
}

export const customersEntities = [CustomerRelationEntity, CustomerEntity];
