import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An application of an organisation that calls the API. */
@Entity('client_apps')
export class ClientAppEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') clientId: string;
  @Column('text') environment: 'sandbox' | 'staging' | 'production';
  @Column('text') name: string;
  @Column('text') publicName: string;
  @Column('text', { nullable: true }) logoUrl: string | null;
  @Column('text', { nullable: true }) primaryColor: string | null;
  @Column('text', { default: 'ENABLED' }) status: 'ENABLED' | 'DISABLED' | 'REVOKED';
  @Column('text', { array: true }) scopes: string[];
  @Column('text', { array: true, default: [] }) ipAllowList: string[];
  @Column('integer') rateLimitPerSecond: number;
  @Column('integer') rateLimitBurst: number;
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false, update: false })
  createdAt: Date;
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false }) updatedAt: Date;
  /** Origins of pages that may call the public endpoints of this application. */
  @Column('text', { array: true, default: [] }) corsOrigins: string[];
  @Column('text', { default: '2026-11-01' }) apiVersion: string;
  /** Written about once a minute. */
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}
