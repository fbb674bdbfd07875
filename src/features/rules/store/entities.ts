import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { LogName } from '../domain/aggregate-reach.js';
import type { BacktestReport } from '../domain/backtest/backtest-report.js';
import type { BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import type { CustomFieldDefinition } from '../domain/custom-fields/custom-field-schema.js';
import type { BacktestStatus, RulesetOrigin, RulesetStatus } from '../domain/life-cycle.js';
import type { RuleDefinition, RulesetDefinition } from '../language/index.js';

/** The longest window that aggregates of an organisation have ever had over a log. */
@Unregulated('worked out of the published rulesets, which are bound')
@Entity('aggregate_reaches')
export class AggregateReachEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') log: LogName;
  @Column('integer') minutes: number;
}

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

/** A back-fill: takes values of new custom fields from the bodies of earlier transactions. */
@Unregulated('work that is still to do, and how far it is')
@Entity('custom_field_backfills')
export class CustomFieldBackfillEntity {
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

/** A version of the custom fields; the newest is in force. */
@Regulated({ of: 'custom_field_schema', by: 'id' })
@Entity('custom_field_schemas')
export class CustomFieldSchemaEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') version: number;
  @Column('jsonb') fields: CustomFieldDefinition[];
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('boolean', { default: false }) singleControl: boolean;
}

/** The time at which a rule last counted for a customer. */
@Unregulated('counted from evaluations, for a while')
@Entity('rule_cooldowns')
export class RuleCooldownEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') rulesetKey: string;
  @PrimaryColumn('text') ruleKey: string;
  @PrimaryColumn('bytea') customerKey: Buffer;
  @Column('timestamptz') countedAt: Date;
  @Column('uuid') transactionRef: string;
}

/** A period in which a rule does not count. */
@Regulated({ of: 'rule_snooze', by: 'id' })
@Entity('rule_snoozes')
export class RuleSnoozeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') rulesetKey: string;
  @Column('text') ruleKey: string;
  @Column('text') reason: string;
  @Column('timestamptz') beginsAt: Date;
  @Column('timestamptz') endsAt: Date;
  @Column('text') createdBy: string;
  @Column('timestamptz', { nullable: true }) liftedAt: Date | null;
  @Column('text', { nullable: true }) liftedBy: string | null;
  /** True if one person approved it alone, because there was no independent approver. */
  @Column('boolean', { default: false }) singleControl: boolean;
}

/** A version of a rule: a draft that can still be changed, or released for good. */
@Regulated({ of: 'rule', by: 'id', free: { updatedAt: 'when the row was written last' } })
@Entity('rules')
export class RuleEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('integer') version: number;
  @Column('text') status: 'DRAFT' | 'RELEASED';
  @Column('integer', { default: 1 }) revision: number;
  @Column('jsonb') content: RuleDefinition;
  @Column('bytea') contentHash: Buffer;
  /** The last author, as `operator:<id>` or `system:<name>`. */
  @Column('text') author: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
  @Column('timestamptz', { nullable: true }) releasedAt: Date | null;
}

/** A row as plain data. */
export type RuleRow = Pick<RuleEntity, keyof RuleEntity>;

/** A number that grows with each change of an organisation's rulesets, snoozes or custom fields. */
@Unregulated('a number that says that something changed')
@Entity('ruleset_epochs')
export class RulesetEpochEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint') epoch: string;
}

@Regulated({ of: 'ruleset', by: 'id', free: { updatedAt: 'when the row was written last' } })
@Entity('rulesets')
export class RulesetEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('integer') version: number;
  @Column('text') status: RulesetStatus;
  @Column('jsonb') content: RulesetDefinition;
  @Column('bytea') contentHash: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) publishedAt: Date | null;
  @Column('text', { default: 'SEED' }) origin: RulesetOrigin;
  /** Grows with each change of a draft, so that two editors do not overwrite each other unnoticed. */
  @Column('integer', { default: 1 }) revision: number;
  /** The last author, as `operator:<id>` or `system:<name>`; every actor here has this form. */
  @Column('text', { default: 'system:migration' }) author: string;
  /** The version whose content a roll-back restored. */
  @Column('integer', { nullable: true }) rollbackOf: number | null;
  @Column('text', { nullable: true }) requestedBy: string | null;
  @Column('timestamptz', { nullable: true }) requestedAt: Date | null;
  @Column('text', { nullable: true }) approvedBy: string | null;
  @Column('timestamptz', { nullable: true }) approvedAt: Date | null;
  /** True if one person approved it alone, because there was no independent approver. */
  @Column('boolean', { default: false }) singleControl: boolean;
  /** The finished back-test of this content on which the publication is based. */
  @Column('uuid', { nullable: true }) backtestId: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null;
}

/** A row as plain data. */
export type RulesetRow = Pick<RulesetEntity, keyof RulesetEntity>;

export const rulesEntities = [
  AggregateReachEntity,
  BacktestEntity,
  CustomFieldBackfillEntity,
  CustomFieldSchemaEntity,
  RuleCooldownEntity,
  RuleSnoozeEntity,
  RuleEntity,
  RulesetEpochEntity,
  RulesetEntity,
];
