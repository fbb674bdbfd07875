import type { Acting as AuditActing, Actor } from '../audit/index.js';
import type { ClientPrincipal, OperatorPrincipal } from '../http/index.js';
import type { RequestContext } from '../telemetry/index.js';

/** Who does something with flows or sessions, and in which request. */
export interface Acting extends AuditActing {
  readonly correlationId: string;
  readonly traceparent: string | null;
}

type Context = Pick<RequestContext, 'correlationId' | 'traceparent'> & { readonly requestId: string | null };

const acting = (organisationId: string, actor: Actor, context: Context): Acting => ({
  organisationId,
  actor,
  requestId: context.requestId,
  correlationId: context.correlationId,
  traceparent: context.traceparent,
});

export const actingOperator = (operator: OperatorPrincipal, context: RequestContext): Acting =>
  acting(operator.organisationId, { type: 'operator', id: operator.id }, context);

export const actingClient = (client: ClientPrincipal, context: RequestContext): Acting =>
  acting(client.organisationId, { type: 'client', id: client.id }, context);

/** Whoever holds the link of a session. */
export const actingLink = (
  session: { readonly id: string; readonly organisationId: string },
  context: RequestContext,
): Acting => acting(session.organisationId, { type: 'session', id: session.id }, context);

export const actingSystem = (organisationId: string, id: string, context: Context): Acting =>
  acting(organisationId, { type: 'system', id }, context);
