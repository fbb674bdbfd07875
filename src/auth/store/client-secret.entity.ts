import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('client_secrets')
export class ClientSecretEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'client_app_id' })
  clientAppId: string;

  /** HMAC-SHA-256 of the secret under the server's pepper; the secret itself is stored nowhere. */
  @Column('bytea')
  hash: Buffer;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** Written about once a minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt: Date;
}
