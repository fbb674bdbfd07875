import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A recovery code of an operator; only its hash is stored. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid') operatorId: string;
  @PrimaryColumn('bytea') hash: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
