import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf, type Actor, type AuditAction, type AuditContent } from '../audit/index.js';
import { type Tx } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/index.js';

/** The actor of a change to an application, with IP address and request of the call. */
export interface AppChangeActor {
  readonly actor: Actor;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

export type ClientAppAction = Extract<AuditAction, `client_app.${string}`>;

/** Writes the audit trail of client applications. */
@Injectable()
export class ClientAppAudit {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records a change. `content` must contain only settings and ids, never a secret or its hash. */
  async record(
    tx: Tx,
    app: { readonly id: string; readonly organisationId: string },
    action: ClientAppAction,
    author: AppChangeActor,
    content: AuditContent,
  ): Promise<void> {
    const ctx = { organisationId: app.organisationId, ...author };
    const now = new Date(this.clock.now());
    const fullContent = { ...content, ip: author.ip };
    await this.audit.record(tx, auditDraftOf(ctx, 'client_app', app.id, action, now, fullContent));
  }
}
