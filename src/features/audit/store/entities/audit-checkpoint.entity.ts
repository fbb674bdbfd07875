import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A signed state of the log of an organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_checkpoints')
export class AuditCheckpointEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') incarnation: number;
  @PrimaryColumn('bigint') size: string;
  @PrimaryColumn('timestamptz') signedAt: Date;
  @Column('bytea') root: Buffer;
  @Column('text') note: string;
}
