import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction that requested a session as a step-up. */
@Regulated({
  of: 'session',
  by: 'sessionId',
  free: {
    announcedAt: 'work that is still to do',
    reEvaluatedAt: 'work that is done',
  },
})
@Entity('kyc_session_transactions')
export class SessionTransactionEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') transactionRef: string;
  @Column('integer') evaluationVersion: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) askedAt: Date;
  @Column('timestamptz', { nullable: true }) announcedAt: Date | null;
  @Column('timestamptz', { nullable: true }) reEvaluatedAt: Date | null;
}
