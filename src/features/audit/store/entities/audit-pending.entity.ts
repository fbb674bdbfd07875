import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A batch of entries that no signed state of the log covers yet. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_pending')
export class AuditPendingEntity {
  @PrimaryColumn({ type: 'bigint', generatedIdentity: 'ALWAYS', insert: false, update: false })
  position: string;
  @Column('uuid') organisationId: string;
  @Column('text', { array: true }) subjectTypes: string[];
  @Column('text', { array: true }) subjectIds: string[];
  @Column('integer', { array: true }) subjectSeqs: number[];
  @Column('bytea', { array: true }) hashes: Buffer[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) addedAt: Date;
}
