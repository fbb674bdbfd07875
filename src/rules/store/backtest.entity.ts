import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BacktestCheckpoint, BacktestReport } from '../domain/backtest-tally.js';
import type { BacktestStatus } from '../domain/life-cycle.js';
import type { RulesetDefinition } from '../language/index.js';

/** A run of a ruleset over stored snapshots. */
@Entity('backtests')
export class BacktestEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('text', { name: 'ruleset_key' })
  rulesetKey: string;

  @Column('integer', { name: 'ruleset_version' })
  rulesetVersion: number;

  @Column('bytea', { name: 'content_hash' })
  contentHash: Buffer;

  /** What is tested, as it was when the test was asked for. */
  @Column('jsonb')
  content: RulesetDefinition;

  @Column('text')
  status: BacktestStatus;

  @Column('timestamptz', { name: 'from_at' })
  fromAt: Date;

  @Column('timestamptz', { name: 'to_at' })
  toAt: Date;

  @Column('bigint', { nullable: true })
  total: string | null;

  @Column('bigint')
  done: string;

  /** Where an interrupted run goes on. */
  @Column('jsonb', { nullable: true })
  checkpoint: BacktestCheckpoint | null;

  @Column('jsonb', { nullable: true })
  report: BacktestReport | null;

  @Column('text', { name: 'failure_code', nullable: true })
  failureCode: string | null;

  @Column('text', { name: 'requested_by' })
  requestedBy: string;

  @Column('text', { name: 'cancel_requested_by', nullable: true })
  cancelRequestedBy: string | null;

  @Column('integer')
  attempts: number;

  @Column('integer')
  fence: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
