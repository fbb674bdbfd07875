import type { OpenLink } from './records.js';
import { isNight, type SessionOutcome, type SessionStatus, type StatusReason } from './session.js';

/** Where a session stands, as far as the transactions are concerned that asked for it. */
export type StepUpState = 'OPEN' | 'PASSED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

/** A session that a transaction asked for. */
export interface AskedFlow {
  readonly transactionRef: string;
  readonly flowKey: string;
  readonly sessionRef: string;
  readonly state: StepUpState;
  /** Null when it cannot be answered any more. */
  readonly link: OpenLink | null;
}

/**
 * The state of a session by what is stored: one whose time is over is open until the sweep has ended it, and then its
 * transactions are told. An outcome that is not an approval is none, whatever it may become by a person's decision.
 */
export function stateOf({
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

/** A rule's wish for a session, from an evaluation that is about to be stored. */
export interface StepUpRequest {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly flowKey: string;
  /** Milliseconds that the link lives, by day and from 20:00 to 06:00. */
  readonly expiresInMs: number;
  readonly expiresAtNightMs: number;
  /** In the sandbox: how long it lives, however short that is. */
  readonly exactlyMs: number | undefined;
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** How long the link of a step-up lives when it is made at this local hour, within what any link may live. */
export function lifetimeOf(
  wish: Pick<StepUpRequest, 'expiresInMs' | 'expiresAtNightMs'> & Partial<Pick<StepUpRequest, 'exactlyMs'>>,
  localHour: number,
): number {
  if (wish.exactlyMs !== undefined) return wish.exactlyMs;
  const wanted = isNight(localHour) ? wish.expiresAtNightMs : wish.expiresInMs;
  const [least, most, usual] = [5 * 60_000, 30 * 24 * 3_600_000, isNight(localHour) ? 3_600_000 : 1_800_000];
  return Number.isFinite(wanted) ? Math.min(Math.max(wanted, least), most) : usual;
}
