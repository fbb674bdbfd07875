import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A login that is under way at the identity provider. */
@Entity('operator_oidc_logins')
export class OidcLoginEntity {
  @PrimaryColumn('bytea') stateHash: Buffer;
  @Column('bytea') browserHash: Buffer;
  @Column('text') nonce: string;
  @Column('text') codeVerifier: string;
  @Column('boolean') cookieMode: boolean;
  @Column('timestamptz') expiresAt: Date;
}
