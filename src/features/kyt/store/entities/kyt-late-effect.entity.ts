import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** Unfinished work because of a late transaction. The row is deleted when the affected transaction was re-evaluated. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_late_effects')
export class KytLateEffectEntity {
  /** In state ARRIVED the late transaction itself; in state FOUND a transaction that it affects. */
  @PrimaryColumn('uuid') affectedRef: string;
  @PrimaryColumn('uuid') lateRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') state: 'ARRIVED' | 'FOUND';
  @Column('timestamptz') dueAt: Date;
}
