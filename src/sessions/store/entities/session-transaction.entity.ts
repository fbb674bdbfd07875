import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A transaction that asked for a session as a step-up. */
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
