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
  status: 'ENABLED' | 'DISABLED';

  @Column('text', { array: true })
  scopes: string[];

  @Column('text', { name: 'ip_allow_list', array: true })
  ipAllowList: string[];

  @Column('integer', { name: 'rate_limit_per_second' })
  rateLimitPerSecond: number;

  @Column('integer', { name: 'rate_limit_burst' })
  rateLimitBurst: number;
}
