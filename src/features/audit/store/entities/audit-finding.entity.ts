import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubjectType } from '../../domain/entry.js';
import type { TrailGap, TrailStatus } from '../../domain/trail.js';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A gap that was found in the trail of a subject. Open until `clearedAt`, when the trail was whole again. */
@Unregulated('each finding is an entry of the log')
@Entity('audit_findings')
export class AuditFindingEntity {
  @Column('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: SubjectType;
  @PrimaryColumn('text') subjectId: string;
  @Column('text') status: TrailStatus;
  @Column('jsonb') gaps: readonly TrailGap[];
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) foundAt: Date;
  @Column('timestamptz', { nullable: true }) clearedAt: Date | null;
}
