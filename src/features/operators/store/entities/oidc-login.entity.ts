import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A pending login at the identity provider. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_oidc_logins')
export class OidcLoginEntity {
  @PrimaryColumn('bytea') stateHash: Buffer;
  @Column('bytea') browserHash: Buffer;
  @Column('text') nonce: string;
  @Column('text') codeVerifier: string;
  @Column('boolean') cookieMode: boolean;
  /** The key of the organisation, if the login named one. */
  @Column('text', { nullable: true }) organisationKey: string | null;
  /** SHA-256 of the invitation that this login accepts. */
  @Column('bytea', { nullable: true }) invitationHash: Buffer | null;
  @Column('timestamptz') expiresAt: Date;
}
