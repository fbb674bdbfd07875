import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A version of an entry, in force from one published snapshot until another. */
@Unregulated('millions of rows; the root of a list stands in the entry that publishes it')
@Entity('screening_entries')
export class ScreeningEntryEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') listId: string;
  @Column('text') entryKey: string;
  @Column('bytea') contentHash: Buffer;
  @Column('text', { nullable: true }) content: string | null;
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('integer') fromSequence: number;
  @Column('integer', { nullable: true }) toSequence: number | null;
}
