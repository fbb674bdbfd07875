import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

@Regulated({ of: 'communication', by: 'communicationId' })
@Entity('coaf_edits')
export class CoafEditEntity {
  @PrimaryColumn('uuid') communicationId: string;
  @PrimaryColumn('integer') revision: number;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') editedBy: string;
  @Column('timestamptz') editedAt: Date;
  @Column('text', { array: true }) fields: string[];
  @Column('bytea') sealed: Buffer;
}
