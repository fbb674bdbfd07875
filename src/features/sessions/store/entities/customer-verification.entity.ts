import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The last verification of a customer, and the session that requests the next verification. */
@Unregulated('drawn from sessions, which are bound; it says when to ask again')
@Entity('customer_verifications')
export class CustomerVerificationEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('timestamptz') verifiedAt: Date;
  @Column('date', { nullable: true }) documentExpiresOn: string | null;
  @Column('uuid', { nullable: true }) askedSessionId: string | null;
}
