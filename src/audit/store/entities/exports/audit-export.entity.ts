import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An export of the trail that somebody asked for. */
@Entity('audit_exports')
export class AuditExportEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('jsonb') filter: unknown;
  @Column('text') reason: string;
  @Column('boolean') auditReady: boolean;
  @Column('text') language: 'pt-BR' | 'en';
  @Column('text', { default: 'QUEUED' }) status:
    'QUEUED' | 'RUNNING' | 'READY' | 'BLOCKED' | 'FAILED' | 'EXPIRED';
  @Column('bytea') trailHash: Buffer;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => "(now() + '00:00:15')" }) leaseUntil: Date;
  @Column('bigint', { default: 0 }) done: string;
  @Column('bigint', { nullable: true }) total: string | null;
  @Column('jsonb', { nullable: true }) result: unknown;
  @Column('jsonb', { nullable: true }) gaps: unknown;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('integer', { default: 0 }) downloads: number;
}
