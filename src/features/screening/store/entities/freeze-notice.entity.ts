import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

export const authorities = ['MJSP', 'COAF', 'BCB', 'CVM', 'SUSEP', 'COURT', 'OTHER'] as const;

@Regulated({ of: 'freeze', by: 'freezeId' })
@Entity('freeze_notices')
export class FreezeNoticeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') freezeId: string;
  @Column('text') told: (typeof authorities)[number];
  /** The authority's own reference; names no person. */
  @Column('text') reference: string;
  @Column('timestamptz') toldAt: Date;
  @Column('text') toldBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) notedAt: Date;
}
