import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A single row: the offset that is added to transaction ids to give positions in the feed. */
@Unregulated('where positions are counted from')
@Entity('event_feed')
export class EventFeedEntity {
  @PrimaryColumn('boolean', { default: true }) singleton: boolean;
  @Column('bigint') base: string;
  @Column('bigint') cluster: string;
}
