import { Entity, PrimaryColumn } from 'typeorm';
import type { SubjectType } from '../../../domain/entry.js';

/** A subject whose trail an export contains. */
@Entity('audit_export_subjects')
export class AuditExportSubjectEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
}
