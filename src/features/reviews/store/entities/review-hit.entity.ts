import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A hit that a case is about. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_hits')
export class ReviewHitEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') hitId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
  /** The merged cases from which the hit was moved here, in order of the merges. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The look-back that raised the alert about the hit. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
}
