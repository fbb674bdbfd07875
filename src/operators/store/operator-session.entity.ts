import { Column, Entity, PrimaryColumn } from 'typeorm';

/** PASSWORD and OIDC are people, SECRET is a machine, LOCAL is somebody with access to the server itself. */
export type LoginMethod = 'PASSWORD' | 'OIDC' | 'SECRET' | 'LOCAL';

@Entity('operator_sessions')
export class OperatorSessionEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('uuid', { name: 'operator_id' })
  operatorId: string;

  @Column('text')
  method: LoginMethod;

  @Column('boolean')
  strong: boolean;

  @Column('text', { nullable: true })
  ip: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt: Date;

  @Column('timestamptz', { name: 'idle_expires_at' })
  idleExpiresAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('text', { name: 'revoke_reason', nullable: true })
  revokeReason: string | null;
}
