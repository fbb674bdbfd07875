import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A recovery code of an operator, as its hash. */
@Entity('operator_recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid') operatorId: string;
  @PrimaryColumn('bytea') hash: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
