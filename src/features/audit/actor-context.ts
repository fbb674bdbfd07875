import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { exchangeOf, type Exchange } from '../../platform/http/index.js';
import type { RequestContext } from '../../platform/telemetry/index.js';
import type { Actor, AuditDraft } from './domain/entry.js';

/** Who acts, for which organisation, in which request. The request ids are null in jobs and on the command line. */
export interface ActorContext {
  readonly organisationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** Injects the caller as an actor context; only for routes that are `forOperator` or `forClient`. */
export const CurrentActor = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ActorContext & RequestContext =>
    actorIn(exchangeOf(execution.switchToHttp().getRequest<Request>())),
);

function actorIn({ operator, client, context }: Exchange): ActorContext & RequestContext {
  if (operator) return { ...identityOf(operator, 'operator'), ...context };
  if (client) return { ...identityOf(client, 'client'), ...context };
  throw new Error('CurrentActor on a route that anybody may call');
}

const identityOf = (
  { organisationId, id }: { readonly organisationId: string; readonly id: string },
  type: 'operator' | 'client',
): Pick<ActorContext, 'organisationId' | 'actor'> => ({ organisationId, actor: { type, id } });

/** Makes the actor context of the command line, or of the service itself. */
export const systemActor = (organisationId: string, id: string): ActorContext => ({
  organisationId,
  actor: { type: 'system', id },
  requestId: null,
  correlationId: null,
});

/** Formats the actor as rows store it: `type:id`. */
export const formatActor = ({ actor }: ActorContext): string => `${actor.type}:${actor.id}`;

type Step = [id: string, action: AuditDraft['action'], occurredAt: Date, content: AuditDraft['content']];

export const auditDraftOf = (
  { organisationId, actor, requestId, correlationId }: ActorContext,
  type: AuditDraft['subject']['type'],
  ...[id, action, occurredAt, content]: Step
): AuditDraft => ({
  subject: { organisationId, type, id },
  action,
  actor,
  requestId,
  correlationId,
  occurredAt,
  content,
});

/** Fixes the subject type of `auditDraftOf`, for a module that records one kind of subject. */
export const auditDraftsOf =
  (type: AuditDraft['subject']['type']) =>
  (ctx: ActorContext, ...step: Step): AuditDraft =>
    auditDraftOf(ctx, type, ...step);
