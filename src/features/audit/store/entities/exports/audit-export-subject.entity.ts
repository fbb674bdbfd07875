import { Entity, PrimaryColumn } from 'typeorm';
import type { SubjectType } from '../../../domain/entry.js';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

@Unregulated('contents of a package while it is made; the digest of the file is an entry')
@Entity('audit_export_subjects')
export class AuditExportSubjectEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
}
