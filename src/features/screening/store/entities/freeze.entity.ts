import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** The freeze of a person whose designation was confirmed (Lei 13.810/2019). */
@Regulated({ of: 'freeze', by: 'id', links: { customer: 'customerId' } })
@Entity('freezes')
export class FreezeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') hitId: string;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('bytea') subjectIndex: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) frozenAt: Date;
  @Column('text') frozenBy: string;
  @Column('timestamptz', { nullable: true }) liftedAt: Date | null;
  @Column('text', { nullable: true }) liftedBy: string | null;
  /** True if one person alone ended the freeze. */
  @Column('boolean', { default: false }) liftedSingleControl: boolean;
}
