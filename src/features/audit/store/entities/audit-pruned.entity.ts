import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A pruned trail: the number of its last pruned entry, and of the log entry that lists the pruned leaves. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_pruned')
export class AuditPrunedEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') throughSeq: number;
  @Column('integer') namedBy: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) prunedAt: Date;
}
