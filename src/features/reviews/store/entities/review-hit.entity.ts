import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A hit that a case is about. */
@Regulated({
  of: 'review',
  by: 'reviewId',
  columns: ['reviewId', 'organisationId', 'hitId', 'linkedAt', 'cameWith', 'lookBackId'],
})
@Entity('review_hits')
export class ReviewHitEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') hitId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
  /** The cases that it came through, the last one at the end. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The run that found it in what was there before. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
}
