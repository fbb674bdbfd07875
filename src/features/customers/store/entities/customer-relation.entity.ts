import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
