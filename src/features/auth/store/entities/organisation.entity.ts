import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A tenant. */
@Unregulated(
  'a name, a key and who decides alone; set from the command line, in the log of operations, with which a check of each log compares it',
)
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid') id: string;
  /** A short name for the command line, such as `demo`. */
  @Column('text') key: string;
  @Column('text') name: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  /** The time since which one person alone may close a case with an approval; null if two people must. */
  @Column('timestamptz', { nullable: true }) singleHandedAt: Date | null;
}
