import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** An entry of the trail of a subject; its hash covers the canonical text and names the entry before it. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') subjectSeq: number;
  @Column('text') action: string;
  @Column('bytea') canonical: Buffer;
  @Column({ type: 'bytea', nullable: true, insert: false, update: false }) hash: Buffer | null;
  @Column('bytea', { nullable: true }) previousHash: Buffer | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) recordedAt: Date;
}
