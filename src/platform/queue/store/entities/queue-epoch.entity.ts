import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** The current epoch of the queue; the table has a single row. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('queue_epoch')
export class QueueEpochEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('text') epoch: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) setAt: Date;
}
