import { Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

@Unregulated('contents of a package while it is made; the digest of the file is an entry')
@Entity('audit_export_leaves')
export class AuditExportLeafEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') leafIndex: string;
}
