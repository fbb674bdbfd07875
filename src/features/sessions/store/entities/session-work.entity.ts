import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A submitted session that waits for its checks, and the lease of the worker. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyc_session_work')
export class SessionWorkEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) dueAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) announcedAt: Date;
  @Column('bigint', { default: 0 }) fence: string;
  @Column('integer', { default: 0 }) attempts: number;
}
