import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A job that was appended in a transaction and is not in Redis yet. */
@Entity('outbox')
export class OutboxEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') queue: string;
  @Column('jsonb') payload: unknown;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
