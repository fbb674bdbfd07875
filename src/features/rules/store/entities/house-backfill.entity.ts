import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A back-fill: takes values of new house fields from the bodies of earlier transactions. */
@Unregulated('work that is still to do, and how far it is')
@Entity('house_backfills')
export class HouseBackfillEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') schemaVersion: number;
  @Column('integer', { array: true }) fields: number[];
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED';
  /** The earliest start: by then every transaction accepted under the former fields is stored. */
  @Column('timestamptz') beginsAt: Date;
  /** Transactions that were read. */
  @Column('bigint', { default: '0' }) done: string;
  /** Transactions that had a value. */
  @Column('bigint', { default: '0' }) filled: string;
  /** Transactions whose body is gone, or cannot be read. */
  @Column('bigint', { default: '0' }) unreadable: string;
  @Column('bigint', { nullable: true }) total: string | null;
  /** The cursor: the last transaction that was read, and the last transaction to read. */
  @Column('uuid', { nullable: true }) after: string | null;
  @Column('uuid', { nullable: true }) until: string | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => 'now()' }) leaseUntil: Date;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}
