import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A person involved in a case, in addition to its customer. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_people')
export class ReviewPersonEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') customerId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
}
