import { CurrentActor, type ActorContext as AuditActorContext, type Actor } from '../audit/index.js';
import type { RequestContext } from '../../platform/telemetry/index.js';

/** Who does something with flows or sessions, and in which request. */
export interface ActorContext extends AuditActorContext {
  readonly correlationId: string;
  readonly traceparent: string | null;
}

export { CurrentActor };

type Context = Pick<RequestContext, 'correlationId' | 'traceparent'> & { readonly requestId: string | null };

const ctx = (organisationId: string, actor: Actor, context: Context): ActorContext => ({
  organisationId,
  actor,
  requestId: context.requestId,
  correlationId: context.correlationId,
  traceparent: context.traceparent,
});

/** Anybody who holds the link of a session. */
export const linkActor = (
  session: { readonly id: string; readonly organisationId: string },
  context: RequestContext,
): ActorContext => ctx(session.organisationId, { type: 'session', id: session.id }, context);

export const systemActor = (organisationId: string, id: string, context: Context): ActorContext =>
  ctx(organisationId, { type: 'system', id }, context);
