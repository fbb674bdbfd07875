import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the file of an export, in order. */
@Entity('audit_export_pieces')
export class AuditExportPieceEntity {
  @PrimaryColumn('uuid') exportId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') fence: number;
  @PrimaryColumn('integer') piece: number;
  @Column('bytea') bytes: Buffer;
}
