import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A secret of a client application; only its hash is stored. */
@Regulated({ of: 'client_app', by: 'clientAppId', free: { lastUsedAt: 'moves with every use' } })
@Entity('client_secrets')
export class ClientSecretEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  /** HMAC-SHA-256 of the secret with the pepper of the server. */
  @Column('bytea') hash: Buffer;
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false, update: false })
  createdAt: Date;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  /** Written about once a minute. */
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}
