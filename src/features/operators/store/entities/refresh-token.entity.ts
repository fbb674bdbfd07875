import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A refresh token of an operator session; only its hash is stored. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_refresh_tokens')
export class RefreshTokenEntity {
  @PrimaryColumn('bytea') hash: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) issuedAt: Date;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
