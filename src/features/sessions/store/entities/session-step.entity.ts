import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The saved answers of a step, encrypted. */
@Unregulated('answers that were not submitted; what is submitted is bound in the session')
@Entity('kyc_session_steps')
export class SessionStepEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('bytea') sealed: Buffer;
  @Column('integer', { default: 1 }) attempts: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) savedAt: Date;
}
