import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../../platform/database/regulated/regulated.js';

/** How often an organisation verifies its customers again. */
@Regulated({
  of: 'reverification',
  by: 'id',
  columns: [
    'id',
    'organisationId',
    'flowKey',
    'lowMonths',
    'mediumMonths',
    'highMonths',
    'documentDays',
    'enabled',
    'changedBy',
    'changedAt',
  ],
})
@Entity('reverification_terms')
export class ReverificationTermsEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') flowKey: string;
  @Column('integer') lowMonths: number;
  @Column('integer') mediumMonths: number;
  /** Also for customers whom nobody has classified. */
  @Column('integer') highMonths: number;
  /** Days before the end of a document at which the customer is asked for the next one. */
  @Column('integer') documentDays: number;
  @Column('boolean') enabled: boolean;
  @Column('text') changedBy: string;
  @Column('timestamptz') changedAt: Date;
}
