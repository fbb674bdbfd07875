import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The hash of a full subtree of a log, at every eighth level. */
@Entity('audit_nodes')
export class AuditNodeEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('smallint') level: number;
  @PrimaryColumn('bigint') nodeIndex: string;
  @Column('bytea') hash: Buffer;
}
