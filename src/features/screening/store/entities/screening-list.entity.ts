import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ListFormat } from '../../domain/lists/list-formats.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { ListRow } from '../../domain/records.js';

/** A list of an organisation and its published snapshot. */
@Regulated({ of: 'screening_list', by: 'id' })
@Entity('screening_lists')
export class ScreeningListEntity implements ListRow {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('text') name: string;
  @Column('text') kind: 'SANCTIONS' | 'PEP' | 'DEBARMENT' | 'BLOCKLIST' | 'ALLOWLIST' | 'WATCH';
  @Column('text') format: ListFormat;
  @Column('real') evidenceThreshold: number;
  @Column('real') mandatoryThreshold: number;
  @Column('integer', { nullable: true }) staleAfterDays: number | null;
  /** Number of the snapshot in force; 0 before the first. */
  @Column('integer', { default: 0 }) sequence: number;
  @Column('uuid', { nullable: true }) snapshotId: string | null;
  /** As of when it is: the day of its file, where the file says one, else when it went live or came again. */
  @Column('timestamptz', { nullable: true }) publishedAt: Date | null;
  @Column('integer', { default: 0 }) entries: number;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  /** True if one person alone set the terms in force. */
  @Column('boolean', { default: false }) singleControl: boolean;
  /** True if one person alone published an import that weakened the list, and two people have approved none since. */
  @Column('boolean', { default: false }) importSingleControl: boolean;
}
