import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
