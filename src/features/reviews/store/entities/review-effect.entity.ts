import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A target that still has to apply the decision of a case. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('review_effects')
export class ReviewEffectEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') target: 'KYT' | 'SESSIONS';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
