import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry of a snapshot that is not published yet. */
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
