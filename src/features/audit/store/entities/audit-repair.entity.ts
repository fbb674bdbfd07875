import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubjectType } from '../../domain/entry.js';
import type { TrailGap } from '../../domain/trail.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A proposed repair of a trail with gaps, and the decision on it. */
@Regulated({ of: 'repair', by: 'id' })
@Entity('audit_repairs')
export class AuditRepairEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') subjectType: SubjectType;
  @Column('text') subjectId: string;
  @Column('text') kind: 'RECONSTRUCT' | 'RE_DERIVE' | 'RESTORE' | 'ATTEST';
  @Column('jsonb') gaps: readonly TrailGap[];
  @Column('text') justification: string;
  /** Names and digests of the evidence. */
  @Column('jsonb') evidence: Readonly<Record<string, string>>;
  @Column('integer', { nullable: true }) restoredSeq: number | null;
  @Column('bytea', { nullable: true, select: false }) restored: Buffer | null;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPLIED' | 'REFUSED';
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  @Column('uuid', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
}
