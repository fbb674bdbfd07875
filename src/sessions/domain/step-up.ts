import { isNight } from './session.js';

/** A rule's wish for a session, from an evaluation that is about to be stored. */
export interface StepUpWish {
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
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** How long the link of a step-up lives when it is made at this local hour, within what any link may live. */
export function lifetimeOf(
  wish: Pick<StepUpWish, 'expiresInMs' | 'expiresAtNightMs'>,
  localHour: number,
): number {
  const wanted = isNight(localHour) ? wish.expiresAtNightMs : wish.expiresInMs;
  const [least, most, usual] = [5 * 60_000, 30 * 24 * 3_600_000, isNight(localHour) ? 3_600_000 : 1_800_000];
  return Number.isFinite(wanted) ? Math.min(Math.max(wanted, least), most) : usual;
}
