import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ExportResultView } from '../../../api/export-result.view.dto.js';
import type { ExportFilter, ExportLanguage, ExportStatus, TrailNote } from '../../../domain/export.js';

/** An export of the trail that somebody asked for. */
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
  @Column('jsonb', { nullable: true }) result: ExportResultView | null;
  @Column('jsonb', { nullable: true }) gaps: readonly TrailNote[] | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('integer', { default: 0 }) downloads: number;
}
