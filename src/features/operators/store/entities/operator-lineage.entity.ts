import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/**
 * Who invited, reset, granted roles to or removed whom: for 30 days they cannot approve each other's requests, with
 * granted roles only in acts that these enable.
 */
@Regulated({ of: 'operator', by: 'operatorId' })
@Entity('operator_lineage')
export class OperatorLineageEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('uuid') byId: string;
  @Column('text') kind: 'INVITED' | 'RESET' | 'EMPOWERED' | 'REMOVED';
  /** True if one administrator made the change alone. */
  @Column('boolean') singleControl: boolean;
  /** The removed or the granted roles; empty for the other kinds. */
  @Column('text', { array: true, default: [] }) roles: string[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at: Date;
}
