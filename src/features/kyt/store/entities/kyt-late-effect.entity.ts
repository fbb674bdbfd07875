import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction that a late one may have changed the windows of, until it is judged again. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_late_effects')
export class KytLateEffectEntity {
  /** The late transaction itself while those that it affects are not found. */
  @PrimaryColumn('uuid') affectedRef: string;
  @PrimaryColumn('uuid') lateRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') state: 'ARRIVED' | 'FOUND';
  @Column('timestamptz') dueAt: Date;
}
