import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../database/regulated/regulated.js';

/** A hit that a case is about. */
@Regulated({
  of: 'review',
  by: 'reviewId',
  columns: ['reviewId', 'organisationId', 'hitId', 'linkedAt'],
})
@Entity('review_hits')
export class ReviewHitEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') hitId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
}
