import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A resubmission round: the requested steps, by whom and why. The messages for the person are encrypted. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_rounds')
export class SessionRoundEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') round: number;
  @Column('text') askedBy: string;
  @Column('timestamptz') askedAt: Date;
  @Column('jsonb') asked: { readonly stepId: string; readonly code: string }[];
  @Column('bytea') messagesSealed: Buffer;
}
