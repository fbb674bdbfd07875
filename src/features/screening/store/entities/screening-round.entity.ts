import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The screening of all customers against a new snapshot of a list. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('screening_rounds')
export class ScreeningRoundEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') listId: string;
  @Column('uuid') snapshotId: string;
  @Column('integer') sequence: number;
  @Column('text', { default: 'RUNNING' }) status: 'RUNNING' | 'FINISHED';
  @Column('integer') total: number;
  @Column('integer', { default: 0 }) done: number;
  @Column('integer', { default: 0 }) hits: number;
  @Column('uuid', { nullable: true }) cursor: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) leaseUntil: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}
