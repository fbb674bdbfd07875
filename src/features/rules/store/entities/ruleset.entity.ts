import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RulesetOrigin, RulesetStatus } from '../../domain/life-cycle.js';
import type { RulesetDefinition } from '../../language/index.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
