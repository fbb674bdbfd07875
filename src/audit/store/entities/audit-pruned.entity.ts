import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the trail of a subject was pruned after its retention. */
@Entity('audit_pruned')
export class AuditPrunedEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') subjectType: string;
  @PrimaryColumn('text') subjectId: string;
  @PrimaryColumn('integer') throughSeq: number;
  @Column('integer') namedBy: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) prunedAt: Date;
}
