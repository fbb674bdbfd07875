import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A WebAuthn challenge that is not used yet. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_passkey_challenges')
export class PasskeyChallengeEntity {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') purpose: 'REGISTER' | 'ASSERT';
  /** Null if the challenge is for a login and the operator is not known yet. */
  @Column('uuid', { nullable: true }) operatorId: string | null;
  @Column('timestamptz') expiresAt: Date;
}
