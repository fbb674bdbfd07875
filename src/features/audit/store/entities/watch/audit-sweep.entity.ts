import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

/** The progress of the background check through the trails of an organisation. */
@Unregulated('how far the check is')
@Entity('audit_sweeps')
export class AuditSweepEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint', { default: -1 }) position: string;
  @Column('bigint', { default: 1 }) cycle: string;
  @Column('bigint', { default: 0 }) subjects: string;
  @Column('timestamptz', { default: '1970-01-01 00:00:00+00' })
  leaseUntil: Date;
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('timestamptz', { nullable: true }) cycleFinishedAt: Date | null;
}
