import { Entity, PrimaryColumn } from 'typeorm';

/** A subject whose trail an export contains. */
@Entity('audit_export_subjects')
export class AuditExportSubjectEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
}
