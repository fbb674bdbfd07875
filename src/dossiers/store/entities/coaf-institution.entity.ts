import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The institution that an organisation reports as. */
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
