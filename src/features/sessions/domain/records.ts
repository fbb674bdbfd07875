import type { EvidenceComponent } from './checks/evidence.js';
import type { FlowDefinition } from './flow/flow.js';
import type { SessionComposition, SessionOutcome, SessionStatus, SessionTrigger } from './session.js';

/** The fields with which a new session is inserted. */
interface InsertedSession {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly linkSealed: Buffer;
  readonly trigger: SessionTrigger;
  readonly transactionRef: string | null;
  readonly evaluationVersion: number | null;
  readonly previousSessionId: string | null;
  readonly attempt: number;
  readonly createdBy: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly expiresAt: Date;
  /** The creator's extras, encrypted: prefilled answers, metadata and redirect. */
  readonly extrasSealed: Buffer | null;
  /** The version of the privacy notice that the session shows. */
  readonly noticeVersion: number | null;
  /** The session of the company that named this person as an owner or representative. */
  readonly parentSessionId: string | null;
  /** The earlier session whose evidence is reused, with the person's consent. */
  readonly reusedSessionId: string | null;
  readonly trailHash: Buffer;
}

export interface NewSession extends InsertedSession {
  readonly flowId: string;
  readonly linkHash: Buffer;
  readonly requestId: string | null;
}

export interface StoredSession extends InsertedSession {
  readonly status: SessionStatus;
  readonly statusReason: 'TIMEOUT' | 'CANCELLED' | 'CHECKED' | null;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly submissionHash: Buffer | null;
  readonly answersSealed: Buffer | null;
  readonly endedAt: Date | null;
  readonly outcome: SessionOutcome | null;
  readonly riskScore: number | null;
  readonly composition: SessionComposition | null;
  readonly defensible: boolean | null;
  readonly nonDefensibleReasons: readonly string[];
  readonly evidence: readonly EvidenceComponent[];
  /** 1, plus one for each resubmission. */
  readonly round: number;
}

/** A session with its flow, and with its status by the clock of the database. */
export interface SessionRow extends StoredSession {
  readonly decidedOutcome: 'APPROVED' | 'REJECTED' | null;
  readonly decidedAt: Date | null;
  readonly flowKey: string;
  readonly flowVersion: number;
  readonly flow: FlowDefinition;
  /** True if one person alone approved the version of the flow. */
  readonly flowSingleControl: boolean;
}

/** The link of a session that still accepts input. */
export interface OpenLink {
  /** The secret id that gives access to the session. */
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export interface SessionFilter {
  readonly status?: SessionStatus | undefined;
  readonly customerId?: string | undefined;
  readonly flowKey?: string | undefined;
}

export interface SessionResult {
  readonly outcome: SessionOutcome;
  readonly riskScore: number | null;
  readonly composition: SessionComposition;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly evidence: readonly EvidenceComponent[];
}

export interface FlowVersion {
  readonly id: string;
  readonly organisationId: string;
  readonly key: string;
  readonly version: number;
  readonly definition: FlowDefinition;
  readonly contentHash: Buffer;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly singleControl: boolean;
}
