import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { exchangeOf, type Exchange } from '../../platform/http/index.js';
import type { RequestContext } from '../../platform/telemetry/index.js';
import type { Actor, AuditDraft } from './domain/entry.js';

/** Who does something, and in which request; null ids outside a request. */
export interface ActorContext {
  readonly organisationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** Injects who acts, and in which request; only for routes that are `forOperator` or `forClient`. */
export const CurrentActor = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ActorContext & RequestContext =>
    actorIn(exchangeOf(execution.switchToHttp().getRequest<Request>())),
);

function actorIn({ operator, client, context }: Exchange): ActorContext & RequestContext {
  if (operator) return { ...inOrganisation(operator, 'operator'), ...context };
  if (client) return { ...inOrganisation(client, 'client'), ...context };
  throw new Error('CurrentActor on a route that anybody may call');
}

const inOrganisation = (
  { organisationId, id }: { readonly organisationId: string; readonly id: string },
  type: 'operator' | 'client',
): Pick<ActorContext, 'organisationId' | 'actor'> => ({ organisationId, actor: { type, id } });

/** The command line, or the service itself. */
export const systemActor = (organisationId: string, id: string): ActorContext => ({
  organisationId,
  actor: { type: 'system', id },
  requestId: null,
  correlationId: null,
});

/** How the actor is written into the rows that name one. */
export const nameOfActor = ({ actor }: ActorContext): string => `${actor.type}:${actor.id}`;

/** The id of the subject, the action, its time and its content. */
type Step = [id: string, action: AuditDraft['action'], occurredAt: Date, content: AuditDraft['content']];

/** The audit entry of one step. */
export const stepOf = (
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

/** The same for a module whose steps are all of one kind of subject. */
export const stepsOf =
  (type: AuditDraft['subject']['type']) =>
  (ctx: ActorContext, ...step: Step): AuditDraft =>
    stepOf(ctx, type, ...step);
