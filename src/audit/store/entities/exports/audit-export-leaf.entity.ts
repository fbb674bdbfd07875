import { Entity, PrimaryColumn } from 'typeorm';

/** A leaf of the log that an export contains. */
@Entity('audit_export_leaves')
export class AuditExportLeafEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') leafIndex: string;
}
