import {
  auditDraftOf,
  type Actor,
  type AuditAction,
  type AuditContent,
  type AuditDraft,
} from '../../audit/index.js';

export interface RequestedChange {
  readonly actor: Actor;
  readonly requestId?: string | null;
  readonly correlationId?: string | null;
}

type EndpointAction = Extract<AuditAction, `webhook_endpoint.${string}`>;

export const endpointEntry = (
  organisationId: string,
  id: string,
  action: EndpointAction,
  { actor, requestId = null, correlationId = null }: RequestedChange,
  at: Date,
  content: AuditContent = {},
): AuditDraft =>
  auditDraftOf(
    { organisationId, actor, requestId, correlationId },
    'webhook_endpoint',
    id,
    action,
    at,
    content,
  );
