import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A recovery: a job that sends an endpoint the events of a time range that it has never received. */
@Unregulated('how far a repetition is; it is asked for by an entry')
@Entity('webhook_recoveries')
export class WebhookRecoveryEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') endpointId: string;
  @Column('timestamptz') since: Date;
  @Column('timestamptz') until: Date;
  @Column('text', { array: true }) eventTypes: string[];
  @Column('boolean') dryRun: boolean;
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  @Column('bigint') reachedPosition: string;
  @Column('uuid') reachedId: string;
  @Column('bigint') stopPosition: string;
  /** The number of events of the range and the types that were read so far. */
  @Column('integer', { default: 0 }) events: number;
  /** The number of events that were sent or, in a dry run, would be. */
  @Column('integer', { default: 0 }) recovered: number;
  @Column('text') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) touchedAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('bigint', { default: 0 }) startPosition: string;

  /** Percent, from 0 to 100. */
  get progress(): number {
    if (this.status === 'COMPLETED') return 100;
    const start = Number(this.startPosition);
    const done = (Number(this.reachedPosition) - start) / Math.max(1, Number(this.stopPosition) - start);
    return Math.floor(Math.min(99, 100 * done));
  }
}
