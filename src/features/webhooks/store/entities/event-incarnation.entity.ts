import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** An incarnation of the feed of all events, with the position at which it began. */
@Unregulated('which lives the feed had')
@Entity('event_incarnations')
export class EventIncarnationEntity {
  @PrimaryColumn('integer') number: number;
  @Column('text') identity: string;
  @Column('bigint') point: string;
  @Column('text') reason: 'FIRST' | 'RESTORED' | 'REWOUND';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) noticedAt: Date;
}
