import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('operators')
export class OperatorEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('text')
  kind: 'PERSON' | 'MACHINE';

  /** In lower case; null for machines. */
  @Column('text', { nullable: true, unique: true })
  email: string | null;

  @Column('text')
  name: string;

  @Column('text')
  status: 'ENABLED' | 'DISABLED';

  @Column('text', { array: true })
  roles: string[];

  /** Of a machine; what a person may do follows from the roles. */
  @Column('text', { array: true })
  permissions: string[];

  /** Argon2id in PHC form; null for operators who log in elsewhere. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  @Column('timestamptz', { name: 'password_changed_at', nullable: true })
  passwordChangedAt: Date | null;

  @Column('bytea', { name: 'sealed_totp_seed', nullable: true })
  sealedTotpSeed: Buffer | null;

  @Column('timestamptz', { name: 'totp_enrolled_at', nullable: true })
  totpEnrolledAt: Date | null;

  /** The newest time step whose code was used; no code of it or an earlier one is accepted again. */
  @Column('bigint', { name: 'totp_last_step', nullable: true })
  totpLastStep: string | null;

  @Column('bytea', { name: 'pending_totp_seed', nullable: true })
  pendingTotpSeed: Buffer | null;

  @Column('timestamptz', { name: 'pending_totp_expires_at', nullable: true })
  pendingTotpExpiresAt: Date | null;

  /** HMAC-SHA-256 of a machine's secret under the server's pepper. */
  @Column('bytea', { name: 'secret_hash', nullable: true })
  secretHash: Buffer | null;

  @Column('text', { name: 'oidc_issuer', nullable: true })
  oidcIssuer: string | null;

  @Column('text', { name: 'oidc_subject', nullable: true })
  oidcSubject: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'last_login_at', nullable: true })
  lastLoginAt: Date | null;
}
