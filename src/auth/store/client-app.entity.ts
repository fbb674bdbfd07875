import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('client_apps')
export class ClientAppEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('text', { name: 'client_id', unique: true })
  clientId: string;

  @Column('text')
  environment: 'sandbox' | 'staging' | 'production';

  @Column('text')
  name: string;

  @Column('text', { name: 'public_name' })
  publicName: string;

  @Column('text', { name: 'logo_url', nullable: true })
  logoUrl: string | null;

  @Column('text', { name: 'primary_color', nullable: true })
  primaryColor: string | null;

  @Column('text')
  status: 'ENABLED' | 'DISABLED' | 'REVOKED';

  @Column('text', { array: true })
  scopes: string[];

  @Column('text', { name: 'ip_allow_list', array: true })
  ipAllowList: string[];

  @Column('integer', { name: 'rate_limit_per_second' })
  rateLimitPerSecond: number;

  @Column('integer', { name: 'rate_limit_burst' })
  rateLimitBurst: number;

  /** Origins of pages that may call the public endpoints of this application. */
  @Column('text', { name: 'cors_origins', array: true })
  corsOrigins: string[];

  @Column('text', { name: 'api_version' })
  apiVersion: string;

  /** Written about once a minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', insert: false })
  updatedAt: Date;
}
