import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { SubjectType } from '../../domain/entry.js';

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
