import type { SessionExtras } from './extras.js';
import type { SessionTrigger } from '../session.js';

/** The request for a session. */
export interface SessionRequest {
  readonly flowKey: string;
  readonly trigger: SessionTrigger;
  /** The person: a known customer, or the integrator's own id; neither if nobody is known. */
  readonly customerId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  /** The application that the events go to; without it the customer's, else the organisation's first. */
  readonly clientAppId?: string | undefined;
  readonly expiresInMinutes?: number | undefined;
  /** The session that this one is another attempt of. */
  readonly previousSessionId?: string | undefined;
  readonly extras?: SessionExtras | undefined;
  /** The session of the company whose owner or representative this one is for. */
  readonly parentSessionId?: string | undefined;
  readonly transaction?: { readonly ref: string; readonly evaluationVersion: number } | undefined;
}

/** The request as a caller sends it: a customer by public id, an earlier session by any of its names. */
export interface NamedSessionRequest extends Pick<SessionRequest, 'flowKey'> {
  readonly externalCustomerId?: string;
  readonly customerId?: string;
  readonly expiresInMinutes?: number;
  readonly previousSessionId?: string;
  readonly redirectUrl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly prefill?: Readonly<Record<string, unknown>>;
}
