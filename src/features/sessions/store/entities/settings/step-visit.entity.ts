import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

/** When a step of a session was shown and done, and how many submissions it got. */
@Unregulated('figures of how people get on; the answers are bound in the session')
@Entity('kyc_step_visits')
export class StepVisitEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('text') flowKey: string;
  @Column('integer') flowVersion: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) shownAt: Date;
  @Column('timestamptz', { nullable: true }) doneAt: Date | null;
  @Column('integer', { default: 0 }) tries: number;
}
