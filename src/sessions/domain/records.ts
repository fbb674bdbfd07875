import type { EvidenceComponent } from './evidence.js';
import type { FlowDefinition } from './flow.js';
import type { Composition, SessionOutcome, SessionStatus, SessionTrigger, StatusReason } from './session.js';

/** A session with its flow, as it stands by the clock of the database. */
export interface SessionRow {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly linkSealed: Buffer;
  /** EXPIRED as soon as its time is over, whether the sweep has been there or not. */
  readonly status: SessionStatus;
  readonly statusReason: StatusReason | null;
  readonly trigger: SessionTrigger;
  readonly transactionRef: string | null;
  readonly evaluationVersion: number | null;
  readonly previousSessionId: string | null;
  readonly attempt: number;
  readonly createdBy: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly submittedAt: Date | null;
  readonly submissionHash: Buffer | null;
  readonly answersSealed: Buffer | null;
  readonly endedAt: Date | null;
  /** What a person decided, or else what the checks came to. */
  readonly outcome: SessionOutcome | null;
  readonly decidedOutcome: 'APPROVED' | 'REJECTED' | null;
  readonly decidedAt: Date | null;
  readonly riskScore: number | null;
  readonly composition: Composition | null;
  readonly defensible: boolean | null;
  readonly nonDefensibleReasons: readonly string[];
  readonly evidence: readonly EvidenceComponent[];
  readonly trailHash: Buffer;
  readonly flowKey: string;
  readonly flowVersion: number;
  readonly flow: FlowDefinition;
}

export interface NewSession {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly flowId: string;
  readonly linkHash: Buffer;
  readonly linkSealed: Buffer;
  readonly trigger: SessionTrigger;
  readonly transactionRef: string | null;
  readonly evaluationVersion: number | null;
  readonly previousSessionId: string | null;
  readonly attempt: number;
  readonly createdBy: string;
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly expiresAt: Date;
  readonly trailHash: Buffer;
}

export interface SessionFilter {
  readonly status?: SessionStatus | undefined;
  readonly customerId?: string | undefined;
  readonly flowKey?: string | undefined;
}

export interface SessionResult {
  readonly outcome: SessionOutcome;
  readonly riskScore: number | null;
  readonly composition: Composition;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly evidence: readonly EvidenceComponent[];
}

/** One version of a flow. */
export interface FlowVersion {
  readonly id: string;
  readonly organisationId: string;
  readonly key: string;
  readonly version: number;
  readonly definition: FlowDefinition;
  readonly contentHash: Buffer;
  readonly createdBy: string;
  readonly createdAt: Date;
}
