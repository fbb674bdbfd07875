import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
