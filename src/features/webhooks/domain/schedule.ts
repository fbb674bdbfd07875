/** The result of one attempt: the HTTP status of the response, or an error code. */
export interface AttemptResult {
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  /** The `Retry-After` header as received. */
  readonly retryAfter: string | null;
}

/** The state of the delivery after an attempt. */
export type DeliveryVerdict =
  | { readonly status: 'DELIVERED'; readonly error: null }
  | { readonly status: 'PENDING'; readonly error: string; readonly delaySeconds: number }
  | { readonly status: 'EXHAUSTED'; readonly error: string }
  | { readonly status: 'CANCELLED'; readonly error: string };

export interface AttemptContext {
  /** 1 for the first attempt. A retry by an operator or a recovery begins again at 1. */
  readonly attempt: number;
  /** Seconds to wait before each attempt. */
  readonly schedule: readonly number[];
  /** A random number from 0 to 1, for the jitter. */
  readonly random: number;
  readonly now: Date;
}

const JITTER = 0.2;
// Caps `Retry-After`, so that a receiver can delay an attempt but not stop the schedule.
const RETRY_AFTER_CAP_SECONDS = 6 * 3_600;

/** The code of a delivery that is cancelled because the receiver answered 410 Gone. */
export const ENDPOINT_GONE = 'ENDPOINT_GONE';

/** Decides what follows an attempt: 2xx delivers, 410 cancels and disables the endpoint, everything else is retried. */
export function nextAttemptAfter(result: AttemptResult, context: AttemptContext): DeliveryVerdict {
  const error = errorOf(result);
  if (error === null) return { status: 'DELIVERED', error };
  if (error === ENDPOINT_GONE) return { status: 'CANCELLED', error };
  const wait = context.schedule[context.attempt];
  if (wait === undefined) return { status: 'EXHAUSTED', error };
  const jittered = wait * (1 + JITTER * (2 * context.random - 1));
  const retryAfter = retryAfterSeconds(result.retryAfter, context.now) ?? 0;
  return { status: 'PENDING', error, delaySeconds: Math.max(jittered, retryAfter) };
}

/** The code of a failure; null when the attempt succeeded. */
function errorOf({ errorCode, statusCode }: AttemptResult): string | null {
  if (errorCode !== null) return errorCode;
  if (statusCode === null) return 'NO_ANSWER';
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 410) return ENDPOINT_GONE;
  if (statusCode >= 300 && statusCode < 400) return 'REDIRECT_NOT_FOLLOWED';
  return `HTTP_${statusCode}`;
}

/** Reads `Retry-After` (seconds or an HTTP date), capped at six hours; null when it is missing or unreadable. */
export function retryAfterSeconds(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  let seconds: number;
  if (/^\d{1,10}$/.test(text)) seconds = Number(text);
  else if (text.endsWith(' GMT')) seconds = (Date.parse(text) - now.getTime()) / 1000;
  else return null;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), RETRY_AFTER_CAP_SECONDS);
}

/** The time (s) after which the reconciler announces an unfinished delivery again. */
export const HINT_SECONDS = 30;
