import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A tenant. */
@Unregulated('a name and a key; made from the command line')
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid') id: string;
  /** A short name for the command line, such as `demo`. */
  @Column('text') key: string;
  @Column('text') name: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
