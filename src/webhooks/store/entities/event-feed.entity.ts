import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where positions of events are counted from: a single row. */
@Entity('event_feed')
export class EventFeedEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('bigint') base: string;
  @Column('bigint') cluster: string;
}
