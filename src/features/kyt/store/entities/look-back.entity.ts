import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { LookBackCounts, LookBackKind, LookBackStatus } from '../../domain/look-back.js';

/** A run of a ruleset or a list over earlier transactions, approved by a second person. */
@Regulated({
  of: 'look_back',
  by: 'id',
  leased: { status: ['QUEUED', 'RUNNING'] },
  free: {
    done: 'how far the run is',
    total: 'how far the run is',
    reached: 'where an interrupted run goes on',
    counts: 'how far the run is',
    attempts: 'a lease or a count of the work',
    fence: 'a lease or a count of the work',
    leaseUntil: 'a lease or a count of the work',
    startedAt: 'how far the run is',
  },
})
@Entity('look_backs')
export class LookBackEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') kind: LookBackKind;
  @Column('text', { nullable: true }) rulesetKey: string | null;
  @Column('integer', { nullable: true }) rulesetVersion: number | null;
  @Column('bytea', { nullable: true }) contentHash: Buffer | null;
  @Column('uuid', { nullable: true }) listId: string | null;
  @Column('integer') days: number;
  @Column('timestamptz') fromAt: Date;
  @Column('timestamptz') toAt: Date;
  @Column('text', { default: 'QUEUED' }) status: LookBackStatus;
  @Column('bigint', { nullable: true }) total: string | null;
  @Column('bigint', { default: 0 }) done: string;
  /** The last transaction that the run has read. */
  @Column('uuid', { nullable: true }) reached: string | null;
  @Column('jsonb') counts: LookBackCounts;
  @Column('jsonb', { nullable: true }) report: LookBackCounts | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('uuid') requestedBy: string;
  @Column('uuid') approvedBy: string;
  @Column('uuid') approvalId: string;
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('text', { nullable: true }) cancelledBy: string | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) leaseUntil: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}
