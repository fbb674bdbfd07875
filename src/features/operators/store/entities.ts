import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';

/** A counter of failed logins; the key is a hash of the account, address or device. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_login_throttles')
export class LoginThrottleEntity {
  @PrimaryColumn('bytea') key: Buffer;
  @Column('integer') failures: number;
  @Column('timestamptz') lastFailureAt: Date;
  @Column('timestamptz') blockedUntil: Date;
}

/** A pending login at the identity provider. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_oidc_logins')
export class OidcLoginEntity {
  @PrimaryColumn('bytea') stateHash: Buffer;
  @Column('bytea') browserHash: Buffer;
  @Column('text') nonce: string;
  @Column('text') codeVerifier: string;
  @Column('boolean') cookieMode: boolean;
  /** The key of the organisation, if the login named one. */
  @Column('text', { nullable: true }) organisationKey: string | null;
  /** SHA-256 of the invitation that this login accepts. */
  @Column('bytea', { nullable: true }) invitationHash: Buffer | null;
  @Column('timestamptz') expiresAt: Date;
}

/** A known device: a browser in which an operator has logged in. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_devices')
export class OperatorDeviceEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('bytea') hash: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) lastUsedAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

/** An invitation of an operator, or the set-up token of an organisation. */
@Regulated({ of: 'operator_invitation', by: 'id' })
@Entity('operator_invitations')
export class OperatorInvitationEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  /** Null if the row is a set-up token, which names no person. */
  @Column('text', { nullable: true }) email: string | null;
  @Column('text', { nullable: true }) name: string | null;
  @Column('text', { array: true }) roles: string[];
  @Column('text', { default: 'PASSWORD' }) login: 'PASSWORD' | 'IDENTITY_PROVIDER';
  /** SHA-256 of the token. */
  @Column('bytea') hash: Buffer;
  /** The approval of the invitation; null if it was created on the command line. */
  @Column('uuid', { nullable: true }) approvalId: string | null;
  @Column('uuid', { nullable: true }) invitedBy: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) acceptedAt: Date | null;
  @Column('uuid', { nullable: true }) acceptedBy: string | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
}

/**
 * A change by which one operator invited, reset, granted roles to or removed another. For 30 days the two cannot
 * approve each other's requests; after a grant of roles, only requests for acts that these roles enable.
 */
@Regulated({ of: 'operator', by: 'operatorId' })
@Entity('operator_lineage')
export class OperatorLineageEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('uuid') byId: string;
  @Column('text') kind: 'INVITED' | 'RESET' | 'EMPOWERED' | 'REMOVED';
  /** True if one administrator made the change alone. */
  @Column('boolean') singleControl: boolean;
  /** The removed or the granted roles; empty for the other kinds. */
  @Column('text', { array: true, default: [] }) roles: string[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
}

/** A passkey of an operator: the public half of a key pair whose private half never leaves its authenticator. */
@Regulated({
  of: 'operator',
  by: 'operatorId',
  free: { counter: 'moves with every login', lastUsedAt: 'moves with every login' },
})
@Entity('operator_passkeys')
export class OperatorPasskeyEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('bytea') credentialId: Buffer;
  /** The public key in COSE form. */
  @Column('bytea') publicKey: Buffer;
  /** The signature counter of the authenticator; always 0 if it has none. */
  @Column('bigint') counter: string;
  @Column('text') name: string;
  @Column('text', { array: true, default: [] }) transports: string[];
  /** True if the passkey is synchronised to other devices. */
  @Column('boolean') backedUp: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}

/** PASSWORD, PASSKEY and OIDC: people. SECRET: machines. LOCAL: somebody at the command line. */
export type LoginMethod = 'PASSWORD' | 'PASSKEY' | 'OIDC' | 'SECRET' | 'LOCAL';

@Unregulated('proof of a login that ends by itself; a trigger binds it to the entry of that login')
@Entity('operator_sessions')
export class OperatorSessionEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('text') method: LoginMethod;
  @Column('boolean') strong: boolean;
  @Column('text', { nullable: true }) ip: string | null;
  @Column('text', { nullable: true }) userAgent: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) lastUsedAt: Date;
  @Column('timestamptz') idleExpiresAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('text', { nullable: true }) revokeReason: string | null;
}

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

/** A WebAuthn challenge that is not used yet. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_passkey_challenges')
export class PasskeyChallengeEntity {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') purpose: 'REGISTER' | 'ASSERT';
  /** Null if the challenge is for a login and the operator is not known yet. */
  @Column('uuid', { nullable: true }) operatorId: string | null;
  @Column('timestamptz') expiresAt: Date;
}

/** A recovery code of an operator; only its hash is stored. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid') operatorId: string;
  @PrimaryColumn('bytea') hash: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}

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

export const operatorsEntities = [
  LoginThrottleEntity,
  OidcLoginEntity,
  OperatorDeviceEntity,
  OperatorInvitationEntity,
  OperatorLineageEntity,
  OperatorPasskeyEntity,
  OperatorSessionEntity,
  OperatorEntity,
  PasskeyChallengeEntity,
  RecoveryCodeEntity,
  RefreshTokenEntity,
];
