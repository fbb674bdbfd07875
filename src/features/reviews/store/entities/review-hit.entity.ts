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
  /** The cases through which merges brought the hit, the last one at the end. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The look-back that found the hit. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
}
