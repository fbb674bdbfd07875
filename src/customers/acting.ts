import type { Actor, AuditDraft } from '../audit/index.js';
import type { OperatorPrincipal } from '../http/index.js';
import type { RequestContext } from '../telemetry/index.js';

/** Who does something to a customer's record, and in which request. */
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

/** The audit entry of one step. */
export const stepOf = (
  { organisationId, actor, requestId, correlationId }: Acting,
  customerId: string,
  action: AuditDraft['action'],
  occurredAt: Date,
  content: AuditDraft['content'],
): AuditDraft => ({
  subject: { organisationId, type: 'customer', id: customerId },
  action,
  actor,
  requestId,
  correlationId,
  occurredAt,
  content,
});
