import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApprovalAction } from '../../domain/act-names.js';
import type { ApprovalStatus, RequestedChange } from '../../domain/approval.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A request for something that two people decide, and what became of it. */
@Regulated({
  of: 'approval',
  by: 'id',
  columns: [
    'askedAt',
    'id',
    'organisationId',
    'act',
    'subjectId',
    'change',
    'digest',
    'sealedReason',
    'status',
    'requestedBy',
    'requestedAt',
    'expiresAt',
    'decidedBy',
    'decidedAt',
    'sealedDecisionReason',
    'effectiveAt',
    'appliedAt',
    'singleControl',
  ],
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
  /** Sealed, as reasons name people. */
  @Column('bytea') sealedReason: Buffer;
  @Column('text', { default: 'REQUESTED' }) status: ApprovalStatus;
  @Column('uuid') requestedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) requestedAt: Date;
  /** By the clock of the database. */
  @Column('timestamptz', { default: () => 'clock_timestamp()', select: false }) askedAt?: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('uuid', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('bytea', { nullable: true }) sealedDecisionReason: Buffer | null;
  /** The time at which an approved effect comes about. */
  @Column('timestamptz', { nullable: true }) effectiveAt: Date | null;
  @Column('timestamptz', { nullable: true }) appliedAt: Date | null;
  /** The number of the transaction that brought the effect about; set by the database. */
  @Column('text', { nullable: true }) appliedIn: string | null;
  /** True if nobody independent was there to approve the request. */
  @Column('boolean', { default: false }) singleControl: boolean;
}
