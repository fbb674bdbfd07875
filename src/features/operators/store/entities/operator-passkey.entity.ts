import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
