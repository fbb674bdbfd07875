import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { UnreadableField, SnapshotRow } from '../../domain/records.js';

/** Bytes that are read and written as hexadecimal digits. */
const hex = {
  from: (bytes: Buffer | null) => bytes?.toString('hex') ?? null,
  to: (digits: string | null | undefined) => digits && Buffer.from(digits, 'hex'),
};

/** An import of a file: its figures and its result. */
@Regulated({
  of: 'screening_snapshot',
  by: 'id',
  free: {
    bytesRead: 'how far the reading is',
    touchedAt: 'a lease of the reading',
    broken: 'samples of lines for whoever loads the file',
    dropped: 'samples of fields for whoever loads the file',
    lines: 'how far the reading is; the entry of its end says how many',
    linesMerged: 'how far the reading is; the entry of its end says how many',
    fieldsDropped: 'how far the reading is; the entry of its end says how many',
    linesBroken: 'how far the reading is; the entry of its end says how many',
    entries: 'how far the reading is; the entry of its end says how many',
    names: 'how far the reading is',
  },
})
@Entity('screening_snapshots')
export class ScreeningSnapshotEntity implements SnapshotRow {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') listId: string;
  @Column('integer', { nullable: true }) sequence: number | null;
  @Column('text') status:
    'READING' | 'AWAITING_CONFIRMATION' | 'PUBLISHED' | 'UNCHANGED' | 'REJECTED' | 'FAILED';
  @Column('text', { nullable: true }) reason: string | null;
  @Column('bytea', { nullable: true, transformer: hex }) sha256: string | null;
  @Column('bigint', { nullable: true }) bytesTotal: string | null;
  @Column('bigint', { default: 0 }) bytesRead: string;
  @Column('integer', { default: 0 }) linesBroken: number;
  @Column('jsonb', { default: [] }) broken: readonly UnreadableField[];
  @Column('integer', { default: 0 }) lines: number;
  @Column('integer', { default: 0 }) linesMerged: number;
  @Column('integer', { default: 0 }) fieldsDropped: number;
  @Column('jsonb', { default: [] }) dropped: readonly UnreadableField[];
  @Column('integer', { default: 0 }) entries: number;
  @Column('integer', { default: 0 }) names: number;
  @Column('integer', { nullable: true }) added: number | null;
  @Column('integer', { nullable: true }) changed: number | null;
  @Column('integer', { nullable: true }) removed: number | null;
  @Column('integer', { nullable: true }) unchanged: number | null;
  @Column('text') requestedBy: string;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) touchedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** The day on which the file says that it was made; null where it says none. */
  @Column('timestamptz', { nullable: true }) fileDatedAt: Date | null;
}
