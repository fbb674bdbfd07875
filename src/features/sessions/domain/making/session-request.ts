import type { SessionExtras } from './extras.js';
import type { SessionTrigger } from '../session.js';

/** A request for a session, with internal ids. */
export interface SessionRequest {
  readonly flowKey: string;
  readonly trigger: SessionTrigger;
  /** The person: a known customer, or the integrator's own id; neither if the person is unknown. */
  readonly customerId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  /** The application that gets the events; by default the customer's, else the organisation's first. */
  readonly clientAppId?: string | undefined;
  readonly expiresInMinutes?: number | undefined;
  /** The earlier session for the same purpose; the new session is another attempt. */
  readonly previousSessionId?: string | undefined;
  readonly extras?: SessionExtras | undefined;
  /** The session of the company; set in the session of an owner or representative. */
  readonly parentSessionId?: string | undefined;
  readonly transaction?: { readonly ref: string; readonly evaluationVersion: number } | undefined;
}

/** The request of a caller: a customer by public id, an earlier session by any of its ids. */
export interface SessionRequestByPublicIds extends Pick<SessionRequest, 'flowKey'> {
  readonly externalCustomerId?: string;
  readonly customerId?: string;
  readonly expiresInMinutes?: number;
  readonly previousSessionId?: string;
  readonly redirectUrl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly prefill?: Readonly<Record<string, unknown>>;
}
