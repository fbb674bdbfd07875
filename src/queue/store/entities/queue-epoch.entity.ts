import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which filling of the queue is the present one: a single row. */
@Entity('queue_epoch')
export class QueueEpochEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('text') epoch: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) setAt: Date;
}
