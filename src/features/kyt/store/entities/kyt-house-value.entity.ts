import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The value of a house field in one transaction, which windows read. */
@Unregulated('taken from the body of the transaction, which is bound, and can be taken from it again')
@Entity('kyt_house_values')
export class KytHouseValueEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') seq: string;
  @PrimaryColumn('integer') field: number;
  @Column('uuid') transactionRef: string;
  @Column('timestamptz') occurredAt: Date;
  /** JSON; null if the field is personal data. */
  @Column('text', { nullable: true }) value: string | null;
  /** Null if no window is keyed by the field. */
  @Column('bytea', { nullable: true }) key: Buffer | null;
  @Column('bytea') velocityEntry: Buffer;
}
