import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A one-time code and the address that got it, both as keyed hashes. */
@Unregulated('work that is under way; that an address was proved is in the evidence of the session')
@Entity('kyc_session_codes')
export class SessionCodeEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('bytea') codeHash: Buffer;
  @Column('bytea') addressHash: Buffer;
  @Column('timestamptz') sentAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('integer', { default: 1 }) sends: number;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('timestamptz', { nullable: true }) verifiedAt: Date | null;
}
