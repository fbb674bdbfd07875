import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The hash of a full subtree of a log, at every eighth level. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_nodes')
export class AuditNodeEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('smallint') level: number;
  @PrimaryColumn('bigint') nodeIndex: string;
  @Column('bytea') hash: Buffer;
}
