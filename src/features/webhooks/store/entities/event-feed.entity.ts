import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The base from which positions of events are counted: a single row. */
@Unregulated('where positions are counted from')
@Entity('event_feed')
export class EventFeedEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('bigint') base: string;
  @Column('bigint') cluster: string;
}
