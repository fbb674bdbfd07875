import { CurrentActor, type ActorContext as AuditActorContext, type Actor } from '../audit/index.js';
import type { RequestContext } from '../../platform/telemetry/index.js';
import { pick } from '../../platform/kernel/index.js';

/** The actor context of Audit, with the correlation id and trace of the request. */
export interface SessionActorContext extends AuditActorContext {
  readonly correlationId: string;
  readonly traceparent: string | null;
}

export { CurrentActor };

type Context = Pick<RequestContext, 'correlationId' | 'traceparent'> & { readonly requestId: string | null };

const contextOf = (organisationId: string, actor: Actor, context: Context): SessionActorContext => ({
  organisationId,
  actor,
  ...pick(context, 'requestId', 'correlationId', 'traceparent'),
});

/** The actor of any call with the link of a session; the link does not identify its user. */
export const linkActor = (
  session: { readonly id: string; readonly organisationId: string },
  context: RequestContext,
): SessionActorContext => contextOf(session.organisationId, { type: 'session', id: session.id }, context);

export const sessionSystemActor = (
  organisationId: string,
  id: string,
  context: Context,
): SessionActorContext => contextOf(organisationId, { type: 'system', id }, context);
