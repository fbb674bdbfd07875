import type { EvidenceComponent } from './checks/evidence.js';
import type { FlowDefinition } from './flow/flow.js';
import type { FlowEntity } from '../store/entities/settings/flow.entity.js';
import type { SessionDecisionEntity } from '../store/entities/session-decision.entity.js';
import type { SessionEntity } from '../store/entities/session.entity.js';
import type { Composition, SessionOutcome, SessionStatus } from './session.js';

/** A session with its flow, as it stands by the clock of the database. */
export type SessionRow = Readonly<Omit<SessionEntity, 'flowId' | 'linkHash' | 'requestId'>> & {
  readonly decidedOutcome: SessionDecisionEntity['outcome'] | null;
  readonly decidedAt: Date | null;
  readonly flowKey: string;
  readonly flowVersion: number;
  readonly flow: FlowDefinition;
  /** Whether one person alone approved the version of the flow. */
  readonly flowSingleControl: boolean;
};

export type NewSession = Readonly<
  Omit<
    SessionEntity,
    | 'status'
    | 'statusReason'
    | 'createdAt'
    | 'submittedAt'
    | 'submissionHash'
    | 'answersSealed'
    | 'endedAt'
    | 'round'
    | keyof SessionResult
  >
>;

/** The way into a session that can still be answered. */
export interface OpenLink {
  /** The capability. */
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
  readonly composition: Composition;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly evidence: readonly EvidenceComponent[];
}

/** One version of a flow. */
export type FlowVersion = Readonly<FlowEntity>;
