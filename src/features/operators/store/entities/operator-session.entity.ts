import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

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
