import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction whose windows a late one may have changed, until it is re-evaluated. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_late_effects')
export class KytLateEffectEntity {
  /** The late transaction itself until the transactions that it affects are found. */
  @PrimaryColumn('uuid') affectedRef: string;
  @PrimaryColumn('uuid') lateRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') state: 'ARRIVED' | 'FOUND';
  @Column('timestamptz') dueAt: Date;
}
