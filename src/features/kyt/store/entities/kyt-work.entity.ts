import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeadLetteredWork } from '../../domain/dead-letter.js';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction without an evaluation, and the lease of the worker that evaluates it. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_work')
export class KytWorkEntity implements DeadLetteredWork {
  @PrimaryColumn('uuid') transactionRef: string;
  @Column('uuid') organisationId: string;
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'PROCESSING' | 'DEAD_LETTERED';
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('integer', { default: 1 }) generation: number;
  @Column('timestamptz') dueAt: Date;
  @Column('text', { nullable: true }) leaseOwner: string | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text', { nullable: true }) failureStage: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) queuedAt: Date;
  @Column('timestamptz', { nullable: true }) discardedAt: Date | null;
}
