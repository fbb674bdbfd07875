import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The effect that the decision of a case meant for a session. */
@Entity('kyc_session_decisions')
export class SessionDecisionEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('uuid') reviewId: string;
  @Column('text') outcome: 'APPROVED' | 'REJECTED';
  @Column('integer') eventSequence: number;
  @Column('timestamptz') decidedAt: Date;
  @Column('bytea') trailHash: Buffer;
}
