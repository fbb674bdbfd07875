import type { Actor, AuditDraft } from '../audit/index.js';
import type { OperatorPrincipal } from '../http/index.js';
import type { RequestContext } from '../telemetry/index.js';

/** Who does something to a list or a hit, and in which request; null ids outside a request. */
export interface Acting {
  readonly organisationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

/** An operator who acts through the API. */
export const actingOperator = (operator: OperatorPrincipal, context: RequestContext): Acting => ({
  organisationId: operator.organisationId,
  actor: { type: 'operator', id: operator.id },
  requestId: context.requestId,
  correlationId: context.correlationId,
});

/** The command line, or the service itself. */
export const actingSystem = (organisationId: string, id: string): Acting => ({
  organisationId,
  actor: { type: 'system', id },
  requestId: null,
  correlationId: null,
});

/** How the actor is written into the rows that name one. */
export const nameOfActor = ({ actor }: Acting): string => `${actor.type}:${actor.id}`;

/** The audit entry of one step. */
export const stepOf = (
  acting: Acting,
  type: 'screening_list' | 'screening_hit',
  id: string,
  action: AuditDraft['action'],
  occurredAt: Date,
  content: AuditDraft['content'],
): AuditDraft => ({
  subject: { organisationId: acting.organisationId, type, id },
  action,
  actor: acting.actor,
  requestId: acting.requestId,
  correlationId: acting.correlationId,
  occurredAt,
  content,
});
