import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { ListFormat } from '../domain/lists/list-formats.js';
import type { PartyRole } from '../domain/party-role.js';
import type { Qualifier } from '../domain/qualify.js';
import type { ListRow, SnapshotRow, StoredHit, UnreadableField } from '../domain/records.js';

export const authorities = ['MJSP', 'COAF', 'BCB', 'CVM', 'SUSEP', 'COURT', 'OTHER'] as const;

@Regulated({ of: 'freeze', by: 'freezeId' })
@Entity('freeze_notices')
export class FreezeNoticeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') freezeId: string;
  @Column('text') told: (typeof authorities)[number];
  /** The authority's own reference; names no person. */
  @Column('text') reference: string;
  @Column('timestamptz') toldAt: Date;
  @Column('text') toldBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) notedAt: Date;
}

/** The freeze of a person whose designation was confirmed (Lei 13.810/2019). */
@Regulated({ of: 'freeze', by: 'id', links: { customer: 'customerId' } })
@Entity('freezes')
export class FreezeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') hitId: string;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('bytea') subjectIndex: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) frozenAt: Date;
  @Column('text') frozenBy: string;
  @Column('timestamptz', { nullable: true }) liftedAt: Date | null;
  @Column('text', { nullable: true }) liftedBy: string | null;
  /** True if one person alone ended the freeze. */
  @Column('boolean', { default: false }) liftedSingleControl: boolean;
}

/** A transaction that a dismissed hit did not stop. */
@Unregulated('what has to be judged again; the receipt of each transaction names the hit that let it through')
@Entity('hit_uses')
export class HitUseEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') hitId: string;
  @Column('uuid') transactionRef: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) usedAt: Date;
  /** When the dismissal was reversed; the transaction has to be re-evaluated after that. */
  @Column('timestamptz', { nullable: true }) reopenedAt: Date | null;
  @Column('timestamptz', { nullable: true }) judgedAt: Date | null;
}

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

/** A customer or party that resembles an entry of a list, and the decision on it. */
@Regulated({
  of: 'screening_hit',
  by: 'id',
  links: { customer: 'customerId' },
  free: {
    seen: 'how often it was met again',
    lastSeenAt: 'when it was met last',
    awaitsCase: 'work that is still to do',
  },
})
@Entity('screening_hits')
export class ScreeningHitEntity implements StoredHit {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bytea') subjectIndex: Buffer;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('uuid', { nullable: true }) transactionRef: string | null;
  @Column('text') role: PartyRole;
  @Column('uuid') listId: string;
  @Column('text') entryKey: string;
  @Column('uuid') entryId: string;
  @Column('bytea') entryHash: Buffer;
  @Column('uuid') snapshotId: string;
  @Column('text') scorerVersion: string;
  @Column('real') score: number;
  @Column('real') nameScore: number;
  @Column('text') strength: 'DOCUMENT' | 'STRONG' | 'NAME' | 'CONTRADICTED';
  @Column('boolean') mandatory: boolean;
  @Column('text', { array: true }) qualifiers: Qualifier[];
  @Column('bytea') sealedExplanation: Buffer;
  @Column('text', { default: 'PENDING' }) status:
    'PENDING' | 'CONFIRMED' | 'DISMISSED_FALSE_POSITIVE' | 'ESCALATED';
  @Column('integer', { default: 0 }) reopened: number;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('bytea', { nullable: true }) justification: Buffer | null;
  @Column('integer', { default: 1 }) seen: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) lastSeenAt: Date;
  @Column('boolean', { default: false }) awaitsCase: boolean;
  /** The hit whose disposition a merge of customers copied to this hit. */
  @Column('uuid', { nullable: true }) decidedAs: string | null;
  /** The customer whose transaction names the person; null if the person is the customer, or no customer is known. */
  @Column('uuid', { nullable: true }) forCustomerId: string | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  /** True if no independent second person existed to approve the disposition. */
  @Column('boolean', { default: false }) singleControl: boolean;
}

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
  /**
   * The date of the list: the day that its file says; if it says none, the time at which the file was published or came
   * again.
   */
  @Column('timestamptz', { nullable: true }) publishedAt: Date | null;
  @Column('integer', { default: 0 }) entries: number;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  /** True if one person alone set the terms in force. */
  @Column('boolean', { default: false }) singleControl: boolean;
  /** True if one person alone published an import that weakened the list, and two people have approved none since. */
  @Column('boolean', { default: false }) importSingleControl: boolean;
}

/** The screening of all customers against a new snapshot of a list. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('screening_rounds')
export class ScreeningRoundEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') listId: string;
  @Column('uuid') snapshotId: string;
  @Column('integer') sequence: number;
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'RUNNING' | 'FINISHED';
  @Column('integer') total: number;
  @Column('integer', { default: 0 }) done: number;
  @Column('integer', { default: 0 }) hits: number;
  @Column('uuid', { nullable: true }) cursor: string | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => "(now() + '00:00:30')" }) leaseUntil: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}

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

export const screeningEntities = [
  FreezeNoticeEntity,
  FreezeEntity,
  HitUseEntity,
  ScreeningEntryEntity,
  ScreeningHitEntity,
  ScreeningListEntity,
  ScreeningRoundEntity,
  ScreeningSnapshotEntity,
  ScreeningStagedEntryEntity,
];
