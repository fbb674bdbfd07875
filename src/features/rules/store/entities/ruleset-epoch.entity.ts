import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** Grows with each change of what an organisation evaluates with. */
@Unregulated('a number that says that something changed')
@Entity('ruleset_epochs')
export class RulesetEpochEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint') epoch: string;
}
