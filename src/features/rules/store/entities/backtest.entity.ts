import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BacktestReport } from '../../domain/backtest/backtest-report.js';
import type { BacktestCheckpoint } from '../../domain/backtest/backtest-tally.js';
import type { BacktestStatus } from '../../domain/life-cycle.js';
import type { RulesetDefinition } from '../../language/index.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A run of a ruleset over stored snapshots. */
@Regulated({
  of: 'backtest',
  by: 'id',
  leased: { status: ['QUEUED', 'RUNNING'] },
  free: {
    done: 'how far the run is',
    total: 'how far the run is',
    checkpoint: 'where an interrupted run goes on',
    attempts: 'a lease or a count of the work',
    fence: 'a lease or a count of the work',
    leaseUntil: 'a lease or a count of the work',
    startedAt: 'how far the run is',
  },
})
@Entity('backtests')
export class BacktestEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') rulesetKey: string;
  @Column('integer') rulesetVersion: number;
  @Column('bytea') contentHash: Buffer;
  /** The tested ruleset, as it was when the back-test was requested; only the runner reads it. */
  @Column({ type: 'jsonb', select: false }) content: RulesetDefinition;
  @Column('text', { default: 'QUEUED' }) status: BacktestStatus;
  @Column('timestamptz') fromAt: Date;
  @Column('timestamptz') toAt: Date;
  @Column('bigint', { nullable: true }) total: string | null;
  @Column('bigint', { default: 0 }) done: string;
  /** The state from which an interrupted run continues; only the runner reads it. */
  @Column({ type: 'jsonb', nullable: true, select: false }) checkpoint: BacktestCheckpoint | null;
  @Column('jsonb', { nullable: true }) report: BacktestReport | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text') requestedBy: string;
  @Column('text', { nullable: true }) cancelRequestedBy: string | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) leaseUntil: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}
