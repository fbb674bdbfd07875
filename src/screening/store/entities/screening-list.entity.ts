import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ListFormat } from '../../domain/lists/list-formats.js';

/** A list of an organisation and its published snapshot. */
@Entity('screening_lists')
export class ScreeningListEntity {
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
  @Column('timestamptz', { nullable: true }) publishedAt: Date | null;
  @Column('integer', { default: 0 }) entries: number;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  /** Whether one person alone set the terms in force. */
  @Column('boolean', { default: false }) singleControl: boolean;
}
