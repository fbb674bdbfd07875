import { Injectable } from '@nestjs/common';
import { AuditTrail, OPERATIONS, auditDraftOf, type AuditAction, type AuditContent } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import type { OperatorPrincipal, RefusedCall } from '../../platform/http/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { operatorActorContext, type OperatorActorContext } from './call-origin.js';

export type OperatorAuditAction = Extract<AuditAction, `operator.${string}`>;

export interface OperatorRef {
  readonly id: string;
  readonly organisationId: string;
}

/** The audit subject of a login to an unknown account; `account` is a hash. */
export const unknownAccountSubject = (account: Buffer): OperatorRef => ({
  id: `unknown:${account.toString('hex', 0, 8)}`,
  organisationId: OPERATIONS,
});

/** Writes audit entries about operators and their logins, with actor, IP address and request. */
@Injectable()
export class OperatorAudit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records a security event about an operator. `content` must contain no address, name, token or password. */
  async record(
    tx: Tx,
    about: OperatorRef,
    action: OperatorAuditAction,
    cause: OperatorActorContext,
    content: AuditContent = {},
  ): Promise<void> {
    const ctx = { organisationId: about.organisationId, ...cause };
    const now = new Date(this.clock.now());
    const fullContent = { ...content, ip: cause.ip };
    await this.audit.record(tx, auditDraftOf(ctx, 'operator', about.id, action, now, fullContent));
  }

  /** Records that a call was refused because the operator lacks a permission. */
  async recordRefusal(operator: OperatorPrincipal, call: RefusedCall): Promise<void> {
    const { permission, reason, route, ip, requestId, correlationId } = call;
    const cause = operatorActorContext(operator, { ip, userAgent: null, requestId, correlationId });
    await this.uow.run(operator.organisationId, (tx) =>
      this.record(tx, operator, 'operator.access_denied', cause, { permission, reason, route }),
    );
  }
}
