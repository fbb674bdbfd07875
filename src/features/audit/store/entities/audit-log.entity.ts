import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The newest signed state of the log of an organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_logs')
export class AuditLogEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer', { default: 1 }) incarnation: number;
  @Column('bigint') size: string;
  @Column('bytea', { array: true }) frontier: Buffer[];
  @Column('bytea') root: Buffer;
  @Column('text') note: string;
  @Column('timestamptz') signedAt: Date;
  @Column('timestamptz') keptAt: Date;
  @Column('timestamptz', { nullable: true }) rolledBackAt: Date | null;
  @Column('integer', { nullable: true }) anchorIncarnation: number | null;
  @Column('bigint', { nullable: true }) anchorSize: string | null;
  @Column('bytea', { nullable: true }) anchorRoot: Buffer | null;
  @Column('bigint', { default: 0 }) pruned: string;
}
