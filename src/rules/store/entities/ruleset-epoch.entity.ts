import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Grows with each change of what an organisation evaluates with. */
@Entity('ruleset_epochs')
export class RulesetEpochEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint') epoch: string;
}
