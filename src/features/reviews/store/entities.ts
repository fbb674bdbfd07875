import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { LeadReason } from '../domain/alert.js';
import type { Theme } from '../domain/review.js';

/** A target that still has to apply the decision of a case. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('review_effects')
export class ReviewEffectEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') target: 'KYT' | 'SESSIONS';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}

/** A hit that a case is about. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_hits')
export class ReviewHitEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') hitId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
  /** The merged cases from which the hit was moved here, in order of the merges. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The look-back that raised the alert about the hit. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
}

/** A rule or country of the alerts of a case, for searching. */
@Unregulated('derived from the alerts of a case, which are bound')
@Entity('review_labels')
export class ReviewLabelEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') kind: 'RULE' | 'COUNTRY';
  @PrimaryColumn('text') value: string;
}

/** An encrypted note of a case. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_notes')
export class ReviewNoteEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') authorId: string;
  @Column('bytea') sealed: Buffer;
  @Column('uuid', { array: true, default: [] }) artifactIds: string[];
  @Column('timestamptz') writtenAt: Date;
  @Column('text', { default: 'NOTE' }) kind:
    'REASON' | 'NOTE' | 'INFO_REQUEST' | 'INFO' | 'JUSTIFICATION' | 'RETURN';
}

/** A person involved in a case, in addition to its customer. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_people')
export class ReviewPersonEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') customerId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
}

/** A transaction of a case, with the version of its evaluation. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_transactions')
export class ReviewTransactionEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('integer') evaluationVersion: number;
  @Column('text') origin: 'EVALUATION' | 'LOOK_BACK' | 'OPERATOR' | 'REOPENED' | 'RELATED';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
  /** The merged cases from which the transaction was moved here, in order of the merges. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The score of the evaluation. */
  @Column('integer', { nullable: true }) points: number | null;
  /** The amount in centavos (BRL). */
  @Column('bigint', { nullable: true }) amountCents: string | null;
  @Column('jsonb', { nullable: true }) lead: LeadReason | null;
  @Column('text', { array: true, default: [] }) rules: string[];
  @Column('text', { array: true, default: [] }) countries: string[];
  /** The look-back that raised the alert. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
  /** The hits about the parties of the transaction, also those that were not mandatory when they were found. */
  @Column('uuid', { array: true, default: [] }) hitIds: string[];
}

/** A case that operators decide. */
@Regulated({
  of: 'review',
  by: 'id',
  links: { customer: 'customerId' },
  free: {
    updatedAt: 'when the row was written last',
  },
})
@Entity('reviews')
export class ReviewEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') kind: 'SCORE' | 'HIT' | 'DATA_GAP' | 'SESSION' | 'MANUAL';
  @Column('text') theme: Theme;
  /** The sum of the scores of the alerts in the case. */
  @Column('integer', { default: 0 }) points: number;
  /** True if new alerts about the same customer and theme are added to this case. */
  @Column('boolean', { default: false }) collects: boolean;
  @Column('text', { default: 'OPEN' }) status:
    'OPEN' | 'IN_ANALYSIS' | 'AWAITING_INFO' | 'PENDING_APPROVAL' | 'CLOSED' | 'MERGED';
  /** 1 is the most urgent. */
  @Column('smallint') priority: number;
  @Column('text') queue: string;
  @Column('uuid', { nullable: true }) clientAppId: string | null;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('uuid', { nullable: true }) sessionRef: string | null;
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('integer', { default: 0 }) linked: number;
  /** Increments with every addition; a proposed decision applies to one revision. */
  @Column('integer', { default: 1 }) revision: number;
  @Column('uuid', { nullable: true }) assigneeId: string | null;
  @Column('timestamptz', { nullable: true }) assignedAt: Date | null;
  @Column('uuid', { nullable: true }) reopenedFrom: string | null;
  @Column('text') openedBy: string;
  @Column('timestamptz') openedAt: Date;
  @Column('timestamptz', { nullable: true }) begunAt: Date | null;
  @Column('timestamptz') selectionDeadline: Date;
  @Column('timestamptz') analysisDeadline: Date;
  @Column('timestamptz', { nullable: true }) responseDeadline: Date | null;
  @Column('timestamptz', { nullable: true }) reportDeadline: Date | null;
  @Column('timestamptz', { nullable: true }) reportedAt: Date | null;
  @Column('timestamptz') dueAt: Date;
  /** The approval request for closing the case; kept after it was approved. */
  @Column('uuid', { nullable: true }) approvalId: string | null;
  /** True if one operator decided alone, because no independent operator was available. */
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('uuid', { nullable: true }) proposedBy: string | null;
  @Column('timestamptz', { nullable: true }) proposedAt: Date | null;
  @Column('text', { nullable: true }) resolution: 'APPROVED' | 'REJECTED' | 'FALSE_POSITIVE' | null;
  @Column('text', { nullable: true }) report: 'COMMUNICATE' | 'ARCHIVE' | null;
  @Column('bytea', { nullable: true }) justification: Buffer | null;
  @Column('uuid', { nullable: true }) closedBy: string | null;
  @Column('timestamptz', { nullable: true }) closedAt: Date | null;
  @Column('date', { nullable: true }) retainUntil: string | null;
  @Column('timestamptz') updatedAt: Date;
  @Column('bytea') trailHash: Buffer;
  @Column('integer', { nullable: true }) proposedRevision: number | null;
  @Column('uuid', { nullable: true }) movedFrom: string | null;
  @Column('uuid', { nullable: true }) mergedInto: string | null;
  @Column('uuid', { nullable: true }) splitFrom: string | null;
  /** The hit whose party the case is about, if the transactions have no known customer. */
  @Column('uuid', { nullable: true }) subjectHitId: string | null;
  /** The sum of the known BRL amounts of the alerts in the case, in centavos. */
  @Column('bigint', { nullable: true }) amountCents: string | null;
  /** The most severe reason of the alerts in the case. */
  @Column('jsonb', { nullable: true }) lead: LeadReason | null;
}

export const reviewsEntities = [
  ReviewEffectEntity,
  ReviewHitEntity,
  ReviewLabelEntity,
  ReviewNoteEntity,
  ReviewPersonEntity,
  ReviewTransactionEntity,
  ReviewEntity,
];
