import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../../platform/database/regulated/regulated.js';

/** How often an organisation verifies its customers again. */
@Regulated({ of: 'reverification', by: 'id' })
@Entity('reverification_terms')
export class ReverificationTermsEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') flowKey: string;
  @Column('integer') lowMonths: number;
  @Column('integer') mediumMonths: number;
  /** Applies to high risk, and to customers without a level of risk. */
  @Column('integer') highMonths: number;
  /** Days before a document expires at which the customer is asked for a new document. */
  @Column('integer') documentDays: number;
  @Column('boolean') enabled: boolean;
  @Column('text') changedBy: string;
  @Column('timestamptz') changedAt: Date;
}
