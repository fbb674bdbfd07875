import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../platform/database/regulated/regulated.js';
import type { ApprovalAction } from '../domain/acts.js';
import type { ApprovalStatus, RequestedChange } from '../domain/approval.js';

/** A request for a change that needs two people, with its decision. */
@Regulated({
  of: 'approval',
  by: 'id',
  free: {
    appliedIn: 'set by the database for the length of a transaction',
  },
})
@Entity('approvals')
export class ApprovalEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') act: ApprovalAction;
  @Column('text') subjectId: string;
  @Column('jsonb') change: RequestedChange;
  @Column('bytea') digest: Buffer;
  /** Encrypted, because reasons may name people. */
  @Column('bytea') sealedReason: Buffer;
  @Column('text', { default: 'REQUESTED' }) status: ApprovalStatus;
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  /** The time of the request by the clock of the database; `requestedAt` is by the clock of the service. */
  @Column('timestamptz', { default: () => 'clock_timestamp()', select: false }) askedAt?: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('uuid', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('bytea', { nullable: true }) sealedDecisionReason: Buffer | null;
  /** The time from which the approved change may be made. */
  @Column('timestamptz', { nullable: true }) effectiveAt: Date | null;
  @Column('timestamptz', { nullable: true }) appliedAt: Date | null;
  /** The PostgreSQL id of the transaction that made the change; set by a trigger. */
  @Column('text', { nullable: true }) appliedIn: string | null;
  /** True if one person approved alone, because there was no independent approver. */
  @Column('boolean', { default: false }) singleControl: boolean;
}

export const approvalsEntities = [ApprovalEntity];
