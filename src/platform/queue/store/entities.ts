import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../database/regulated/regulated.js';

/** A message that is committed and not sent to the queue yet. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('outbox')
export class OutboxEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') queue: string;
  @Column('jsonb') payload: unknown;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}

/** The current epoch of the queue; the table has a single row. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('queue_epoch')
export class QueueEpochEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('text') epoch: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) setAt: Date;
}

export const queueEntities = [OutboxEntity, QueueEpochEntity];
