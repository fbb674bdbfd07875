import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who invited, reset or empowered whom: for 30 days they are no second person for each other. */
@Entity('operator_lineage')
export class OperatorLineageEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('uuid') byId: string;
  @Column('text') kind: 'INVITED' | 'RESET' | 'EMPOWERED';
  /** Whether nobody else had to agree. */
  @Column('boolean') singleControl: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
}
