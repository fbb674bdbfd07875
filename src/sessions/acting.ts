import { Acting as AuditActing, type Actor } from '../audit/index.js';
import type { RequestContext } from '../telemetry/index.js';

/** Who does something with flows or sessions, and in which request. */
export interface Acting extends AuditActing {
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** The decorator of Audit: in a request all of it is known. */
export const Acting = AuditActing;

type Context = Pick<RequestContext, 'correlationId' | 'traceparent'> & { readonly requestId: string | null };

const acting = (organisationId: string, actor: Actor, context: Context): Acting => ({
  organisationId,
  actor,
  requestId: context.requestId,
  correlationId: context.correlationId,
  traceparent: context.traceparent,
});

/** Whoever holds the link of a session. */
export const actingLink = (
  session: { readonly id: string; readonly organisationId: string },
  context: RequestContext,
): Acting => acting(session.organisationId, { type: 'session', id: session.id }, context);

export const actingSystem = (organisationId: string, id: string, context: Context): Acting =>
  acting(organisationId, { type: 'system', id }, context);
