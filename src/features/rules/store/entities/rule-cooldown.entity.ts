import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

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
