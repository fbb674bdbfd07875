import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  type Actor,
  type AuditAction,
  type AuditContent,
  type AuditDraft,
} from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import type { OperatorPrincipal, RefusedCall } from '../http/index.js';
import { Clock } from '../kernel/index.js';

/** Who did something to an operator, from where, in which request. */
export interface Cause {
  readonly actor: Actor;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

export type OperatorAction = Extract<AuditAction, `operator.${string}`>;

export interface OperatorRef {
  readonly id: string;
  readonly organisationId: string;
}

/** Writes what happens to operators and their logins into the audit trail: who, from where, in which request. */
@Injectable()
export class OperatorTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records one security event about an operator. Never an address, a name, a token or a password. */
  async record(
    tx: Tx,
    about: OperatorRef,
    action: OperatorAction,
    cause: Cause,
    content: AuditContent = {},
  ): Promise<void> {
    const entry: AuditDraft = {
      subject: { organisationId: about.organisationId, type: 'operator', id: about.id },
      action,
      actor: cause.actor,
      requestId: cause.requestId,
      correlationId: cause.correlationId,
      occurredAt: new Date(this.clock.now()),
      content: { ...content, ip: cause.ip },
    };
    await this.audit.record(tx, [entry]);
  }

  /** Records that a call of an operator was refused for want of a permission. */
  async refused(operator: OperatorPrincipal, call: RefusedCall): Promise<void> {
    const { permission, reason, route, ip, requestId, correlationId } = call;
    const cause = { actor: { type: 'operator', id: operator.id }, ip, requestId, correlationId } as const;
    await this.uow.run(operator.organisationId, (tx) =>
      this.record(tx, operator, 'operator.access_denied', cause, { permission, reason, route }),
    );
  }
}
