import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InputName } from '../../../platform/kernel/reference/inputs.js';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';

/** An application of an organisation that calls the API. */
@Regulated({
  of: 'client_app',
  by: 'id',
  free: {
    updatedAt: 'when the row was written last',
    lastUsedAt: 'moves with every use',
  },
})
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
  /** CORS origins that may call the public endpoints of this application. */
  @Column('text', { array: true, default: [] }) corsOrigins: string[];
  @Column('text', { default: '2026-11-01' }) apiVersion: string;
  /** URLs that the hosted page may redirect to; each also allows the paths below it. */
  @Column('text', { array: true, default: [] }) redirectUrls: string[];
  /** The hash of the uploaded logo, which is shown instead of `logoUrl`. */
  @Column('text', { nullable: true }) logoHash: string | null;
  /** Written about once a minute. */
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  /** The inputs that the application has said not to send. */
  @Column('text', { array: true, default: [] }) withoutInputs: InputName[];
  /** True if one person alone approved that. */
  @Column('boolean', { default: false }) inputsSingleControl: boolean;
}

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

/** A tenant. */
@Unregulated(
  'a name, a key and who decides alone; set from the command line, in the log of operations, with which a check of each log compares it',
)
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid') id: string;
  /** A short name for the command line, such as `demo`. */
  @Column('text') key: string;
  @Column('text') name: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  /** The time since which one person alone may close a case with an approval; null if two people must. */
  @Column('timestamptz', { nullable: true }) singleHandedAt: Date | null;
}

export const authEntities = [ClientAppEntity, ClientSecretEntity, OrganisationEntity];
