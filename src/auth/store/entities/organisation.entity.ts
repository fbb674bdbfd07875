import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant. */
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid') id: string;
  /** A short name that the command line uses, such as `demo`. */
  @Column('text') key: string;
  @Column('text') name: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
