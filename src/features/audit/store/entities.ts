import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { SubjectType } from '../domain/entry.js';
import type {
  ExportFilter,
  ExportLanguage,
  ExportResult,
  ExportStatus,
  ReportedTrail,
} from '../domain/export.js';
import type { TrailGap, TrailStatus } from '../domain/trail.js';

/** A signed state of the log of an organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_checkpoints')
export class AuditCheckpointEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') incarnation: number;
  @PrimaryColumn('bigint') size: string;
  @PrimaryColumn('timestamptz') signedAt: Date;
  @Column('bytea') root: Buffer;
  @Column('text') note: string;
}

/** An entry of the trail of a subject; its hash covers the canonical text and names the entry before it. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') subjectSeq: number;
  @Column('text') action: string;
  @Column('bytea') canonical: Buffer;
  @Column({ type: 'bytea', nullable: true, insert: false, update: false }) hash: Buffer | null;
  @Column('bytea', { nullable: true }) previousHash: Buffer | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) recordedAt: Date;
}

/** A gap that was found in the trail of a subject. Open until `clearedAt`, when the trail was whole again. */
@Unregulated('each finding is an entry of the log')
@Entity('audit_findings')
export class AuditFindingEntity {
  @Column('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
  @Column('text') status: TrailStatus;
  @Column('jsonb') gaps: readonly TrailGap[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) foundAt: Date;
  @Column('timestamptz', { nullable: true }) clearedAt: Date | null;
}

/** An entry that was not queued for its seal until a check found it. */
@Regulated({ of: 'audit_log', by: 'organisationId' })
@Entity('audit_late_seals')
export class AuditLateSealEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') subjectSeq: number;
  @Column('integer') waitedSeconds: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) foundAt: Date;
}

/** A sealed entry: its index and hash in the Merkle tree of its organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_leaves')
export class AuditLeafEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') leafIndex: string;
  @Column('text') subjectType: SubjectType;
  @Column('text') subjectId: string;
  @Column('integer') subjectSeq: number;
  @Column('bytea') hash: Buffer;
}

/** The newest signed state of the log of an organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_logs')
export class AuditLogEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer', { default: 1 }) incarnation: number;
  @Column('bigint') size: string;
  @Column('bytea', { array: true }) frontier: Buffer[];
  @Column('bytea') root: Buffer;
  @Column('text') note: string;
  @Column('timestamptz') signedAt: Date;
  @Column('timestamptz') keptAt: Date;
  @Column('timestamptz', { nullable: true }) rolledBackAt: Date | null;
  @Column('integer', { nullable: true }) anchorIncarnation: number | null;
  @Column('bigint', { nullable: true }) anchorSize: string | null;
  @Column('bytea', { nullable: true }) anchorRoot: Buffer | null;
  @Column('bigint', { default: 0 }) pruned: string;
}

/** The hash of a full subtree of a log, at every eighth level. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_nodes')
export class AuditNodeEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('smallint') level: number;
  @PrimaryColumn('bigint') nodeIndex: string;
  @Column('bytea') hash: Buffer;
}

/** A batch of entries that no signed state of the log covers yet. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_pending')
export class AuditPendingEntity {
  @PrimaryColumn({ type: 'bigint', generatedIdentity: 'ALWAYS', insert: false, update: false })
  position: string;
  @Column('uuid') organisationId: string;
  @Column('text', { array: true }) subjectTypes: string[];
  @Column('text', { array: true }) subjectIds: string[];
  @Column('integer', { array: true }) subjectSeqs: number[];
  @Column('bytea', { array: true }) hashes: Buffer[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) addedAt: Date;
}

/** A pruned trail: the number of its last pruned entry, and of the log entry that lists the pruned leaves. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_pruned')
export class AuditPrunedEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') throughSeq: number;
  @Column('integer') namedBy: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) prunedAt: Date;
}

/** A proposed repair of a trail with gaps, and the decision on it. */
@Regulated({ of: 'repair', by: 'id' })
@Entity('audit_repairs')
export class AuditRepairEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') subjectType: SubjectType;
  @Column('text') subjectId: string;
  @Column('text') kind: 'RECONSTRUCT' | 'RE_DERIVE' | 'RESTORE' | 'ATTEST';
  @Column('jsonb') gaps: readonly TrailGap[];
  @Column('text') justification: string;
  /** Names and digests of the evidence. */
  @Column('jsonb') evidence: Readonly<Record<string, string>>;
  @Column('integer', { nullable: true }) restoredSeq: number | null;
  @Column('bytea', { nullable: true, select: false }) restored: Buffer | null;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPLIED' | 'REFUSED';
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('uuid', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
}

@Unregulated('contents of a package while it is made; the digest of the file is an entry')
@Entity('audit_export_leaves')
export class AuditExportLeafEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') leafIndex: string;
}

/** A chunk of the file of an export. `fence` identifies the attempt that wrote the chunk. */
@Unregulated('contents of a package while it is made; the digest of the file is an entry')
@Entity('audit_export_pieces')
export class AuditExportPieceEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') fence: number;
  @PrimaryColumn('integer') piece: number;
  @Column('bytea') bytes: Buffer;
}

@Unregulated('contents of a package while it is made; the digest of the file is an entry')
@Entity('audit_export_subjects')
export class AuditExportSubjectEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
}

/** A requested export of the audit log. */
@Regulated({
  of: 'audit_export',
  by: 'id',
  leased: { status: ['QUEUED', 'RUNNING'] },
  free: {
    attempts: 'a lease or a count of the work',
    fence: 'a lease or a count of the work',
    leaseUntil: 'a lease or a count of the work',
    done: 'how far the work is',
    total: 'how far the work is',
    startedAt: 'how far the work is',
    downloads: 'each download is an entry of its own',
  },
})
@Entity('audit_exports')
export class AuditExportEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('jsonb') filter: ExportFilter;
  @Column('text') reason: string;
  @Column('boolean') auditReady: boolean;
  @Column('text') language: ExportLanguage;
  @Column('text', { default: 'QUEUED' }) status: ExportStatus;
  @Column('bytea') trailHash: Buffer;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => "(now() + '00:00:15')" }) leaseUntil: Date;
  @Column('bigint', { default: 0 }) done: string;
  @Column('bigint', { nullable: true }) total: string | null;
  @Column('jsonb', { nullable: true }) result: ExportResult | null;
  @Column('jsonb', { nullable: true }) gaps: readonly ReportedTrail[] | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('integer', { default: 0 }) downloads: number;
}

/** A request to resume a log after a restored backup, and its approval. */
@Regulated({ of: 'log_restart', by: 'id' })
@Entity('audit_reincarnations')
export class LogRestartEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') incarnation: number;
  @Column('bigint') restoredSize: string;
  @Column('integer') anchorIncarnation: number;
  @Column('bigint') anchorSize: string;
  @Column('bytea') anchorRoot: Buffer;
  @Column('text') reason: string;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPROVED' | 'REFUSED';
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('uuid', { nullable: true }) approvedBy: string | null;
  @Column('timestamptz', { nullable: true }) approvedAt: Date | null;
}

/** The newest checkpoint of a log that an anchor file or a witness has, outside the database. */
@Unregulated('it says where a checkpoint is kept; the file and the signed note prove what it was')
@Entity('audit_anchors')
export class AuditAnchorEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') kind: 'FILE' | 'WITNESS';
  /** The host and its file, or the name and key of the witness. */
  @PrimaryColumn('text') name: string;
  @Column('integer') incarnation: number;
  @Column('bigint') size: string;
  @Column('bytea') root: Buffer;
  /** The signed note; from a witness, with the signature of the witness. */
  @Column('text') note: string;
  @Column('timestamptz') seenAt: Date;
}

/** The progress of the background check through the trails of an organisation. */
@Unregulated('how far the check is')
@Entity('audit_sweeps')
export class AuditSweepEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint', { default: -1 }) position: string;
  @Column('bigint', { default: 1 }) cycle: string;
  @Column('bigint', { default: 0 }) subjects: string;
  @Column('timestamptz', { default: '1970-01-01 00:00:00+00' })
  leaseUntil: Date;
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('timestamptz', { nullable: true }) cycleFinishedAt: Date | null;
}

export const auditEntities = [
  AuditCheckpointEntity,
  AuditEntryEntity,
  AuditFindingEntity,
  AuditLateSealEntity,
  AuditLeafEntity,
  AuditLogEntity,
  AuditNodeEntity,
  AuditPendingEntity,
  AuditPrunedEntity,
  AuditRepairEntity,
  AuditSweepEntity,
  AuditExportLeafEntity,
  AuditExportPieceEntity,
  AuditExportSubjectEntity,
  AuditExportEntity,
  LogRestartEntity,
  AuditAnchorEntity,
];
