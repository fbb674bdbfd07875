import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A feature that the closing of a case still has to reach. */
@Entity('review_effects')
export class ReviewEffectEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') target: 'KYT' | 'SESSIONS';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
