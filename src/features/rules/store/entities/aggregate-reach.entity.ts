import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';
import type { LogName } from '../../domain/aggregate-reach.js';

/** The longest window that aggregates of an organisation have ever had over a log. */
@Unregulated('worked out of the published rulesets, which are bound')
@Entity('aggregate_reaches')
export class AggregateReachEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') log: LogName;
  @Column('integer') minutes: number;
}
