import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A number that grows with each change of an organisation's rulesets, snoozes or house fields. */
@Unregulated('a number that says that something changed')
@Entity('ruleset_epochs')
export class RulesetEpochEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint') epoch: string;
}
