import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

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
