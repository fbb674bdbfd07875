import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A signed state of the log of an organisation. */
@Entity('audit_checkpoints')
export class AuditCheckpointEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') incarnation: number;
  @PrimaryColumn('bigint') size: string;
  @PrimaryColumn('timestamptz') signedAt: Date;
  @Column('bytea') root: Buffer;
  @Column('text') note: string;
}
