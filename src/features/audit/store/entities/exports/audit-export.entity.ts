import { Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  ExportFilter,
  ExportLanguage,
  ExportResult,
  ExportStatus,
  ReportedTrail,
} from '../../../domain/export.js';
import { Regulated } from '../../../../../platform/database/regulated/regulated.js';

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
