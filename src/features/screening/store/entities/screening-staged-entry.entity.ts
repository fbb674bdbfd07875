import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** An entry of a snapshot that is not published yet. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('screening_staged')
export class ScreeningStagedEntryEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') snapshotId: string;
  @Column('text') entryKey: string;
  @Column('bytea') contentHash: Buffer;
  @Column('text', { nullable: true }) content: string | null;
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
}
