import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

@Regulated({ of: 'coaf_institution', by: 'organisationId' })
@Entity('coaf_institutions')
export class CoafInstitutionEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') taxId: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) branchNumber: string | null;
  @Column('text', { nullable: true }) branchName: string | null;
  @Column('text', { nullable: true }) city: string | null;
  @Column('text', { nullable: true }) state: string | null;
  @Column('timestamptz') updatedAt: Date;
}
