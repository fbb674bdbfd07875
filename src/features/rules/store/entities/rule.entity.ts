import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RuleDefinition } from '../../language/index.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
