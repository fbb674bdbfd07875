import type { OpenLink } from './records.js';
import { isNightHour, type SessionOutcome, type SessionStatus, type StatusReason } from './session.js';

/** The state of a session for the transactions that requested it. */
export type StepUpState = 'OPEN' | 'PASSED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

export interface RequestedStepUp {
  readonly transactionRef: string;
  readonly flowKey: string;
  readonly sessionRef: string;
  readonly state: StepUpState;
  /** Null if the session no longer accepts input. */
  readonly link: OpenLink | null;
}

/**
 * Returns the state of a stored session. An expired session counts as open until the sweep ends it and its transactions
 * are re-evaluated. Only an approval, by the checks or by a person, counts as passed.
 */
export function stepUpStateOf({
  status,
  statusReason,
  outcome,
}: {
  readonly status: SessionStatus;
  readonly statusReason: StatusReason | null;
  readonly outcome: SessionOutcome | null;
}): StepUpState {
  switch (status) {
    case 'PENDING':
    case 'PROCESSING':
      return 'OPEN';
    case 'EXPIRED':
      return statusReason === 'CANCELLED' ? 'CANCELLED' : 'EXPIRED';
    case 'COMPLETED':
      return outcome === 'APPROVED' ? 'PASSED' : 'FAILED';
  }
}

/** The request of a rule for a session, in an evaluation that is not stored yet. */
export interface StepUpRequest {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly flowKey: string;
  /** Lifetime of the link in milliseconds, by day and from 20:00 to 06:00. */
  readonly expiresInMs: number;
  readonly expiresAtNightMs: number;
  /** Sandbox only: the exact lifetime of the link, however short. */
  readonly exactlyMs: number | undefined;
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** Returns the lifetime (ms) of a step-up link created at this local hour, within the limits of all links. */
export function stepUpLifetimeMs(
  wish: Pick<StepUpRequest, 'expiresInMs' | 'expiresAtNightMs'> & Partial<Pick<StepUpRequest, 'exactlyMs'>>,
  localHour: number,
): number {
  if (wish.exactlyMs !== undefined) return wish.exactlyMs;
  const lifetimeMs = isNightHour(localHour) ? wish.expiresAtNightMs : wish.expiresInMs;
  const [least, most, usual] = [
    5 * 60_000,
    30 * 24 * 3_600_000,
    isNightHour(localHour) ? 3_600_000 : 1_800_000,
  ];
  return Number.isFinite(lifetimeMs) ? Math.min(Math.max(lifetimeMs, least), most) : usual;
}
