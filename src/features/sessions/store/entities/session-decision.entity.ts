import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** The outcome of a session by the decision of a case. */
@Regulated({ of: 'session', by: 'sessionId' })
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
