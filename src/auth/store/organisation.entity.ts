import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** A short name that the command line uses, such as `demo`. */
  @Column('text', { unique: true })
  key: string;

  @Column('text')
  name: string;
}
