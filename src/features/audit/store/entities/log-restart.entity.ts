import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A request to resume a log after a restored backup, and its approval. */
@Regulated({ of: 'log_restart', by: 'id' })
@Entity('audit_reincarnations')
export class LogRestartEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') incarnation: number;
  @Column('bigint') restoredSize: string;
  @Column('integer') anchorIncarnation: number;
  @Column('bigint') anchorSize: string;
  @Column('bytea') anchorRoot: Buffer;
  @Column('text') reason: string;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPROVED' | 'REFUSED';
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('uuid', { nullable: true }) approvedBy: string | null;
  @Column('timestamptz', { nullable: true }) approvedAt: Date | null;
}
