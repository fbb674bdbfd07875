import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** Records who invited, reset, empowered or removed whom: for 30 days they are no second person for each other. */
@Regulated({
  of: 'operator',
  by: 'operatorId',
  columns: ['id', 'organisationId', 'operatorId', 'byId', 'kind', 'singleControl', 'roles', 'at'],
})
@Entity('operator_lineage')
export class OperatorLineageEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('uuid') byId: string;
  @Column('text') kind: 'INVITED' | 'RESET' | 'EMPOWERED' | 'REMOVED';
  /** True if nobody else had to agree. */
  @Column('boolean') singleControl: boolean;
  /** Roles that were taken away; empty for the other kinds. */
  @Column('text', { array: true, default: [] }) roles: string[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
}
