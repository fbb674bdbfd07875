import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { EvidenceComponent } from '../domain/checks/evidence.js';
import type { FlowDefinition } from '../domain/flow/flow.js';
import type { PrivacyNotice } from '../domain/making/privacy-notice.js';
import type { FlowVersion, NewSession, StoredSession } from '../domain/records.js';

/** The last verification of a customer, and the session that requests the next verification. */
@Unregulated('drawn from sessions, which are bound; it says when to ask again')
@Entity('customer_verifications')
export class CustomerVerificationEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('timestamptz') verifiedAt: Date;
  @Column('date', { nullable: true }) documentExpiresOn: string | null;
  @Column('uuid', { nullable: true }) askedSessionId: string | null;
}

/** A one-time code and the address that got it, both as keyed hashes. */
@Unregulated('work that is under way; that an address was proved is in the evidence of the session')
@Entity('kyc_session_codes')
export class SessionCodeEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('bytea') codeHash: Buffer;
  @Column('bytea') addressHash: Buffer;
  @Column('timestamptz') sentAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('integer', { default: 1 }) sends: number;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('timestamptz', { nullable: true }) verifiedAt: Date | null;
}

/** The outcome of a session by the decision of a case. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_decisions')
export class SessionDecisionEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('uuid') reviewId: string;
  @Column('text') outcome: 'APPROVED' | 'REJECTED';
  @Column('integer') eventSequence: number;
  @Column('timestamptz') decidedAt: Date;
  @Column('bytea') trailHash: Buffer;
}

/** An owner or representative named in the session of a company, with customer, hits and own session. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_people')
export class SessionPersonEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  /** Index of the person over all groups of the flow, from 0. */
  @PrimaryColumn('integer') place: number;
  @PrimaryColumn('integer') round: number;
  @Column('text') stepId: string;
  @Column('text') kind: 'OWNER' | 'REPRESENTATIVE';
  /** Null if the person has no tax id. */
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('numeric', { nullable: true, precision: 5, scale: 2 }) share: string | null;
  @Column('uuid', { array: true, default: [] }) hitIds: string[];
  @Column('uuid', { nullable: true }) childSessionId: string | null;
}

/** A resubmission round: the requested steps, by whom and why. The messages for the person are encrypted. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_rounds')
export class SessionRoundEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('integer') round: number;
  @Column('text') askedBy: string;
  @Column('timestamptz') askedAt: Date;
  @Column('jsonb') asked: { readonly stepId: string; readonly code: string }[];
  @Column('bytea') messagesSealed: Buffer;
}

/** The saved answers of a step, encrypted. */
@Unregulated('answers that were not submitted; what is submitted is bound in the session')
@Entity('kyc_session_steps')
export class SessionStepEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('bytea') sealed: Buffer;
  @Column('integer', { default: 1 }) attempts: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) savedAt: Date;
}

/** A transaction that requested a session as a step-up. */
@Regulated({
  of: 'session',
  by: 'sessionId',
  free: {
    announcedAt: 'work that is still to do',
    reEvaluatedAt: 'work that is done',
  },
})
@Entity('kyc_session_transactions')
export class SessionTransactionEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') transactionRef: string;
  @Column('integer') evaluationVersion: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) askedAt: Date;
  @Column('timestamptz', { nullable: true }) announcedAt: Date | null;
  @Column('timestamptz', { nullable: true }) reEvaluatedAt: Date | null;
}

/** A file that a step received or refused. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_uploads')
export class SessionUploadEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('text') stepId: string;
  @Column('uuid', { nullable: true }) artifactId: string | null;
  @Column('text', { nullable: true }) documentType: string | null;
  @Column('text', { nullable: true }) side: 'FRONT' | 'BACK' | null;
  @Column('text', { nullable: true }) rejection: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}

/** A submitted session that waits for its checks, and the lease of the worker. */
@Unregulated('work that is still to do; its end is an entry')
@Entity('kyc_session_work')
export class SessionWorkEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) dueAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) announcedAt: Date;
  @Column('bigint', { default: 0 }) fence: string;
  @Column('integer', { default: 0 }) attempts: number;
}

@Regulated({ of: 'session', by: 'id', links: { customer: 'customerId' } })
@Entity('kyc_sessions')
export class SessionEntity implements NewSession, StoredSession {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('uuid') customerId: string;
  @Column('bytea') subjectIndex: Buffer;
  @Column('uuid') flowId: string;
  @Column('bytea') linkHash: Buffer;
  @Column('bytea') linkSealed: Buffer;
  @Column('text', { default: 'PENDING' }) status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'EXPIRED';
  @Column('text', { nullable: true }) statusReason: 'TIMEOUT' | 'CANCELLED' | 'CHECKED' | null;
  @Column('text') trigger: 'OPERATOR' | 'STEP_UP' | 'API' | 'COMPANY' | 'REVERIFICATION';
  @Column('uuid', { nullable: true }) transactionRef: string | null;
  @Column('integer', { nullable: true }) evaluationVersion: number | null;
  @Column('uuid', { nullable: true }) previousSessionId: string | null;
  @Column('integer', { default: 1 }) attempt: number;
  @Column('text') createdBy: string;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('text') correlationId: string;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) submittedAt: Date | null;
  @Column('bytea', { nullable: true }) submissionHash: Buffer | null;
  @Column('bytea', { nullable: true }) answersSealed: Buffer | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) outcome: 'APPROVED' | 'REVIEW' | 'REJECTED' | null;
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('text', { nullable: true }) composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT' | null;
  @Column('boolean', { nullable: true }) defensible: boolean | null;
  @Column('text', { array: true, default: [] }) nonDefensibleReasons: string[];
  @Column('jsonb', { default: [] }) evidence: EvidenceComponent[];
  /** 1, plus one for each resubmission. */
  @Column('integer', { default: 1 }) round: number;
  /** The creator's extras, encrypted: prefilled answers, metadata and redirect. */
  @Column('bytea', { nullable: true }) extrasSealed: Buffer | null;
  /** The version of the privacy notice that the session shows. */
  @Column('integer', { nullable: true }) noticeVersion: number | null;
  /** The session of the company that named this person as an owner or representative. */
  @Column('uuid', { nullable: true }) parentSessionId: string | null;
  /** The earlier session whose evidence is reused, with the person's consent. */
  @Column('uuid', { nullable: true }) reusedSessionId: string | null;
  @Column('bytea') trailHash: Buffer;
}

/** A logo, named by the hash of its content. */
@Unregulated('a picture for the public; which one an application shows is bound in the application')
@Entity('app_logos')
export class AppLogoEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') hash: string;
  @Column('bytea') png: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}

/** A draft of a flow, possibly invalid. */
@Unregulated('nothing is verified by a draft; what is published is bound as a version')
@Entity('flow_drafts')
export class FlowDraftEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('jsonb') definition: object;
  /** Answers for the preview. */
  @Column('jsonb', { default: {} }) sample: object;
  @Column('integer', { default: 1 }) revision: number;
  @Column('text') author: string;
  @Column('timestamptz') updatedAt: Date;
}

/** A version of a flow: which steps a session asks for. */
@Regulated({ of: 'flow', by: 'id' })
@Entity('flows')
export class FlowEntity implements FlowVersion {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('integer') version: number;
  @Column('jsonb') definition: FlowDefinition;
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('boolean', { default: false }) singleControl: boolean;
}

/** A version of the privacy notice of an organisation; never changed. */
@Regulated({ of: 'privacy_notice', by: 'id' })
@Entity('privacy_notices')
export class PrivacyNoticeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') version: number;
  @Column('jsonb') content: PrivacyNotice;
  @Column('text') createdBy: string;
  @Column('timestamptz') createdAt: Date;
}

/** How often an organisation verifies its customers again. */
@Regulated({ of: 'reverification', by: 'id' })
@Entity('reverification_terms')
export class ReverificationTermsEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') flowKey: string;
  @Column('integer') lowMonths: number;
  @Column('integer') mediumMonths: number;
  /** Applies to high risk, and to customers without a level of risk. */
  @Column('integer') highMonths: number;
  /** Days before a document expires at which the customer is asked for a new document. */
  @Column('integer') documentDays: number;
  @Column('boolean') enabled: boolean;
  @Column('text') changedBy: string;
  @Column('timestamptz') changedAt: Date;
}

/** When a step of a session was shown and done, and how many submissions it got. */
@Unregulated('figures of how people get on; the answers are bound in the session')
@Entity('kyc_step_visits')
export class StepVisitEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') stepId: string;
  @Column('text') flowKey: string;
  @Column('integer') flowVersion: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) shownAt: Date;
  @Column('timestamptz', { nullable: true }) doneAt: Date | null;
  @Column('integer', { default: 0 }) tries: number;
}

export const sessionsEntities = [
  CustomerVerificationEntity,
  SessionCodeEntity,
  SessionDecisionEntity,
  SessionPersonEntity,
  SessionRoundEntity,
  SessionStepEntity,
  SessionTransactionEntity,
  SessionUploadEntity,
  SessionWorkEntity,
  SessionEntity,
  AppLogoEntity,
  FlowDraftEntity,
  FlowEntity,
  PrivacyNoticeEntity,
  ReverificationTermsEntity,
  StepVisitEntity,
];
