import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A hit that a case is about. */
@Entity('review_hits')
export class ReviewHitEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') hitId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
}
