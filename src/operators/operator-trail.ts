import { Injectable } from '@nestjs/common';
import { AuditTrail, OPERATIONS, type AuditAction, type AuditContent } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import type { OperatorPrincipal, RefusedCall } from '../http/index.js';
import { Clock } from '../kernel/index.js';
import { causedBy, type Cause } from './call-origin.js';

export type OperatorAction = Extract<AuditAction, `operator.${string}`>;

export interface OperatorRef {
  readonly id: string;
  readonly organisationId: string;
}

/** Whoever tries to log in to an account that does not exist; `account` is a hash. */
export const unknownAccount = (account: Buffer): OperatorRef => ({
  id: `unknown:${account.toString('hex', 0, 8)}`,
  organisationId: OPERATIONS,
});

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
    // Logins come in parallel, and two that append to the same chain at once would both have to run again.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`operator-trail:${about.id}`]);
    await this.audit.record(tx, [
      {
        subject: { organisationId: about.organisationId, type: 'operator', id: about.id },
        action,
        actor: cause.actor,
        requestId: cause.requestId,
        correlationId: cause.correlationId,
        occurredAt: new Date(this.clock.now()),
        content: { ...content, ip: cause.ip },
      },
    ]);
  }

  /** Records that a call of an operator was refused for want of a permission. */
  async refused(operator: OperatorPrincipal, call: RefusedCall): Promise<void> {
    const { permission, reason, route, ip, requestId, correlationId } = call;
    const cause = causedBy(operator, { ip, userAgent: null, requestId, correlationId });
    await this.uow.run(operator.organisationId, (tx) =>
      this.record(tx, operator, 'operator.access_denied', cause, { permission, reason, route }),
    );
  }
}
