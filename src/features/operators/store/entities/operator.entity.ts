import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A person or machine that works for an organisation. */
@Regulated({
  of: 'operator',
  by: 'id',
  free: {
    updatedAt: 'when the row was written last',
    lastLoginAt: 'a login is an entry of its own',
    totpLastStep: 'moves with every login',
    pendingTotpSeed: 'counts for nothing until it is confirmed',
    pendingTotpExpiresAt: 'counts for nothing until it is confirmed',
  },
})
@Entity('operators')
export class OperatorEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') kind: 'PERSON' | 'MACHINE';
  /** The e-mail address in lower case; null if the operator is a machine. */
  @Column('text', { nullable: true }) email: string | null;
  @Column('text') name: string;
  @Column('text', { default: 'ENABLED' }) status: 'ENABLED' | 'DISABLED';
  @Column('text', { array: true, default: [] }) roles: string[];
  /** The permissions of a machine; a person's follow from the roles. */
  @Column('text', { array: true, default: [] }) permissions: string[];
  /** Argon2id in PHC format; null if the operator is a machine or logs in at the identity provider. */
  @Column('text', { nullable: true }) passwordHash: string | null;
  @Column('timestamptz', { nullable: true }) passwordChangedAt: Date | null;
  @Column('bytea', { nullable: true }) sealedTotpSeed: Buffer | null;
  @Column('timestamptz', { nullable: true }) totpEnrolledAt: Date | null;
  /** The last TOTP time step that was used; codes of this step and of earlier steps are refused. */
  @Column('bigint', { nullable: true }) totpLastStep: string | null;
  @Column('bytea', { nullable: true }) pendingTotpSeed: Buffer | null;
  @Column('timestamptz', { nullable: true }) pendingTotpExpiresAt: Date | null;
  /** HMAC-SHA-256 of a machine's secret with the pepper of the server. */
  @Column('bytea', { nullable: true }) secretHash: Buffer | null;
  @Column('text', { nullable: true }) oidcIssuer: string | null;
  @Column('text', { nullable: true }) oidcSubject: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
  @Column('timestamptz', { nullable: true }) lastLoginAt: Date | null;
}
