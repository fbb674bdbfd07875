import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { StoredTransactionColumns } from '../domain/claimed.js';
import type { DeadLetteredWork, DiscardRequest } from '../domain/dead-letter.js';
import type { OperatorDecision } from '../domain/decided-data.js';
import type { LookBackCounts, LookBackKind, LookBackStatus } from '../domain/look-back.js';

@Regulated({ of: 'discard', by: 'id' })
@Entity('dead_letter_discards')
export class DeadLetterDiscardEntity implements DiscardRequest {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPROVED' | 'WITHDRAWN';
  @Column('text') reason: string;
  @Column('uuid', { array: true }) transactionRefs: readonly string[];
  @Column('integer', { nullable: true }) discarded: number | null;
  @Column('text') requestedBy: string;
  @Column('timestamptz') requestedAt: Date;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('integer', { array: true }) generations: readonly number[];
}

/** A person's decision in a case, as it applies to one transaction of the case. */
@Regulated({ of: 'transaction', by: 'transactionRef' })
@Entity('kyt_decisions')
export class KytDecisionEntity implements OperatorDecision {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') transactionRef: string;
  @Column('integer') evaluationVersion: number;
  @Column('uuid') reviewId: string;
  @Column('text') outcome: 'APPROVED' | 'REJECTED';
  @Column('integer') eventSequence: number;
  @Column('timestamptz') decidedAt: Date;
  /** True if one person decided alone, because there was nobody independent to approve. */
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('bytea') trailHash: Buffer;
}

/** A version of the evaluation of a transaction, with its receipt. */
@Regulated({ of: 'transaction', by: 'transactionRef', bound: 'ENTRY' })
@Entity('kyt_evaluations')
export class KytEvaluationEntity {
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('integer') evaluationVersion: number;
  @Column('uuid') organisationId: string;
  @Column('text') outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED';
  @Column('text') recommendedAction: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('text', { nullable: true }) riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null;
  @Column('text') composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';
  @Column('boolean') defensible: boolean;
  @Column('uuid', { nullable: true }) rulesetId: string | null;
  /** Packed: `receiptText` reads it. */
  @Column('bytea') receipt: Buffer;
  @Column('bytea') receiptHash: Buffer;
  @Column('bytea') trailHash: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) evaluatedAt: Date;
  /** Packed: `unpackFacts` reads them. */
  @Column('bytea', { nullable: true }) facts: Buffer | null;
  @Column('text', { nullable: true }) brief: string | null;
}

/** The value of a custom field in one transaction, which windows read. */
@Unregulated('taken from the body of the transaction, which is bound, and can be taken from it again')
@Entity('kyt_custom_field_values')
export class KytCustomFieldValueEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') seq: string;
  @PrimaryColumn('integer') field: number;
  @Column('uuid') transactionRef: string;
  @Column('timestamptz') occurredAt: Date;
  /** JSON; null if the field is personal data. */
  @Column('text', { nullable: true }) value: string | null;
  /** Null if no window is keyed by the field. */
  @Column('bytea', { nullable: true }) key: Buffer | null;
  @Column('bytea') velocityEntry: Buffer;
}

/** Unfinished work because of a late transaction. The row is deleted when the affected transaction was re-evaluated. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_late_effects')
export class KytLateEffectEntity {
  /** In state ARRIVED the late transaction itself; in state FOUND a transaction that it affects. */
  @PrimaryColumn('uuid') affectedRef: string;
  @PrimaryColumn('uuid') lateRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') state: 'ARRIVED' | 'FOUND';
  @Column('timestamptz') dueAt: Date;
}

/**
 * An index for lists: outcome, score and defensibility of a transaction, by its newest evaluation or decision. Approved
 * and defensible transactions with a score of 0, which are most, have no row.
 */
@Unregulated(
  'derived by the database from evaluations and decisions, to find them; the trail of a transaction compares it with those',
)
@Entity('kyt_standings')
export class KytStandingEntity {
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') evaluationVersion: number;
  @Column('text') outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED';
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('boolean') defensible: boolean;
}

/** A submitted transaction; the body is encrypted. */
@Regulated({
  of: 'transaction',
  by: 'id',
  bound: 'ENTRY',
  free: {
    seq: 'the order of arrival, given by the database',
    velocityEntry: 'computed by the database from the others',
    receivedSpan: 'computed by the database from the id',
  },
})
@Entity('kyt_transactions')
export class KytTransactionEntity implements StoredTransactionColumns {
  @PrimaryColumn('uuid') id: string;
  @Column({ type: 'bigint', generatedIdentity: 'ALWAYS', insert: false, update: false }) seq: string;
  @Column('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') transactionId: string;
  @Column('text') source: 'INGEST' | 'LEGACY';
  @Column('text') type: string;
  /** True if the transaction moves banknotes. */
  @Column('boolean') cash: boolean;
  @Column('text') channel: string;
  @Column('numeric') amount: string;
  @Column('text') currency: string;
  @Column('text', { nullable: true }) direction: 'IN' | 'OUT' | null;
  @Column('text') directionSource: string;
  @Column('timestamptz') occurredAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) receivedAt: Date;
  @Column('bytea') fingerprint: Buffer;
  @Column('bytea', { nullable: true }) documentKey: Buffer | null;
  /** Blind index of the document; if there is none, of the institution's id; else of the account. */
  @Column('bytea', { nullable: true }) customerKey: Buffer | null;
  /** Blind index of the institution's id of the customer. */
  @Column('bytea', { nullable: true }) externalKey: Buffer | null;
  @Column('bytea', { nullable: true }) accountKey: Buffer | null;
  @Column('bytea', { nullable: true }) deviceKey: Buffer | null;
  @Column('bytea', { nullable: true }) ipKey: Buffer | null;
  @Column('bytea', { nullable: true }) counterpartyKey: Buffer | null;
  @Column('bytea', { nullable: true }) cardKey: Buffer | null;
  /** Empty if none was sent; null in rows that are older than the column. */
  @Column('text', { nullable: true }) originCountry: string | null;
  @Column('text', { nullable: true }) destinationCountry: string | null;
  @Column('bytea') sealedBody: Buffer;
  @Column('text', { nullable: true, array: true }) warnings: string[] | null;
  @Column('text') requestId: string;
  @Column('text') correlationId: string;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('bytea') trailHash: Buffer;
  @Column({ type: 'bytea', insert: false, update: false }) velocityEntry: Buffer;
  /** The time of receipt, from the id, in spans of 65.536 seconds since 1970. */
  @Column({ type: 'integer', insert: false, update: false }) receivedSpan: number;
}

/** An event of a customer that moves no money; the body is encrypted. */
@Regulated({
  of: 'customer_event',
  by: 'id',
  bound: 'ENTRY',
  free: {
    seq: 'the order of arrival, given by the database',
    velocityEntry: 'computed by the database from the others',
  },
})
@Entity('kyt_customer_events')
export class KytCustomerEventEntity {
  @PrimaryColumn('uuid') id: string;
  @Column({
    type: 'bigint',
    insert: false,
    update: false,
    default: () => `nextval('kyt_transactions_seq_seq')`,
  })
  seq: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') eventId: string;
  @Column('text') type: string;
  /** Empty if none was sent. */
  @Column('text') channel: string;
  @Column('timestamptz') occurredAt: Date;
  @Column('timestamptz') receivedAt: Date;
  @Column('bytea') fingerprint: Buffer;
  @Column('bytea', { nullable: true }) documentKey: Buffer | null;
  /** Blind index of the document; if there is none, of the institution's id; else of the account. */
  @Column('bytea', { nullable: true }) customerKey: Buffer | null;
  @Column('bytea', { nullable: true }) externalKey: Buffer | null;
  @Column('bytea', { nullable: true }) accountKey: Buffer | null;
  @Column('bytea', { nullable: true }) deviceKey: Buffer | null;
  @Column('bytea', { nullable: true }) ipKey: Buffer | null;
  @Column('bytea') sealedBody: Buffer;
  @Column('text', { nullable: true, array: true }) warnings: string[] | null;
  @Column('text') requestId: string;
  @Column('text') correlationId: string;
  @Column('bytea') trailHash: Buffer;
  @Column({ type: 'bytea', insert: false, update: false }) velocityEntry: Buffer;
}

/** Since when an application sends events of a type. */
@Unregulated('taken from the first event of the type, which is bound')
@Entity('kyt_customer_event_types')
export class KytCustomerEventTypeEntity {
  @PrimaryColumn('uuid') clientAppId: string;
  @PrimaryColumn('text') type: string;
  @PrimaryColumn('uuid') organisationId: string;
  /** The sequence number of the first event. */
  @Column('bigint') firstSeq: string;
}

/** A transaction without an evaluation, and the lease of the worker that evaluates it. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyt_work')
export class KytWorkEntity implements DeadLetteredWork {
  @PrimaryColumn('uuid') transactionRef: string;
  @Column('uuid') organisationId: string;
  @Column('text', { default: 'QUEUED' }) status: 'QUEUED' | 'PROCESSING' | 'DEAD_LETTERED';
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('integer', { default: 1 }) generation: number;
  @Column('timestamptz') dueAt: Date;
  @Column('text', { nullable: true }) leaseOwner: string | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('text', { nullable: true }) failureStage: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) queuedAt: Date;
  @Column('timestamptz', { nullable: true }) discardedAt: Date | null;
}

/** A run of a ruleset or a list over earlier transactions, approved by a second person. */
@Regulated({
  of: 'look_back',
  by: 'id',
  leased: { status: ['QUEUED', 'RUNNING'] },
  free: {
    done: 'how far the run is',
    total: 'how far the run is',
    reached: 'where an interrupted run goes on',
    counts: 'how far the run is',
    attempts: 'a lease or a count of the work',
    fence: 'a lease or a count of the work',
    leaseUntil: 'a lease or a count of the work',
    startedAt: 'how far the run is',
  },
})
@Entity('look_backs')
export class LookBackEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') kind: LookBackKind;
  @Column('text', { nullable: true }) rulesetKey: string | null;
  @Column('integer', { nullable: true }) rulesetVersion: number | null;
  @Column('bytea', { nullable: true }) contentHash: Buffer | null;
  @Column('uuid', { nullable: true }) listId: string | null;
  @Column('integer') days: number;
  @Column('timestamptz') fromAt: Date;
  @Column('timestamptz') toAt: Date;
  @Column('text', { default: 'QUEUED' }) status: LookBackStatus;
  @Column('bigint', { nullable: true }) total: string | null;
  @Column('bigint', { default: 0 }) done: string;
  /** The last transaction that the run has read. */
  @Column('uuid', { nullable: true }) reached: string | null;
  @Column('jsonb') counts: LookBackCounts;
  @Column('jsonb', { nullable: true }) report: LookBackCounts | null;
  @Column('text', { nullable: true }) failureCode: string | null;
  @Column('uuid') requestedBy: string;
  @Column('uuid') approvedBy: string;
  @Column('uuid') approvalId: string;
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('text', { nullable: true }) cancelledBy: string | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) fence: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) leaseUntil: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}

export const kytEntities = [
  DeadLetterDiscardEntity,
  KytDecisionEntity,
  KytEvaluationEntity,
  KytCustomFieldValueEntity,
  KytLateEffectEntity,
  KytStandingEntity,
  KytTransactionEntity,
  KytCustomerEventEntity,
  KytCustomerEventTypeEntity,
  KytWorkEntity,
  LookBackEntity,
];
