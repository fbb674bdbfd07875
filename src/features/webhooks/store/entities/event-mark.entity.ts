import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The position that the event feed had reached at a time; written about once a minute. */
@Unregulated('which position was reached when')
@Entity('event_marks')
export class EventMarkEntity {
  @PrimaryColumn('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
  @Column('bigint') position: string;
  @Column('bigint', { default: '9223372036854775807' }) top: string;
}
