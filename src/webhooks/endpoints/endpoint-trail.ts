import type { Actor, AuditAction, AuditContent, AuditDraft } from '../../audit/index.js';

/** The endpoints that a caller may see: an operator those of the organisation, an application its own. */
export interface EndpointScope {
  readonly organisationId: string;
  readonly clientAppId?: string | undefined;
}

/** Who asks for a change, and in which request. */
export interface Requested {
  readonly actor: Actor;
  readonly requestId?: string | null;
  readonly correlationId?: string | null;
}

type EndpointAction = Extract<AuditAction, `webhook_endpoint.${string}`>;

/** The audit entry of a change to an endpoint. */
export const endpointEntry = (
  organisationId: string,
  id: string,
  action: EndpointAction,
  by: Requested,
  occurredAt: Date,
  content: AuditContent = {},
): AuditDraft => ({
  subject: { organisationId, type: 'webhook_endpoint', id },
  action,
  actor: by.actor,
  requestId: by.requestId ?? null,
  correlationId: by.correlationId ?? null,
  occurredAt,
  content,
});
