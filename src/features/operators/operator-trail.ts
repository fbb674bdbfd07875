import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import {
  AuditTrail,
  OPERATIONS,
  auditDraftOf,
  TrailContract,
  type AuditAction,
  type AuditContent,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import type { OperatorPrincipal, RefusedCall } from '../../platform/http/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { operatorActorContext, type OperatorActorContext } from './call-origin.js';
import { OperatorEntity } from './store/entities/operator.entity.js';

export type OperatorAuditAction = Extract<AuditAction, `operator.${string}`>;

/** The audit actions on an existing operator. A missing action is a compile error. */
const LATER = Object.keys({
  'operator.updated': true,
  'operator.disabled': true,
  'operator.enabled': true,
  'operator.access_denied': true,
  'operator.logged_in': true,
  'operator.login_failed': true,
  'operator.login_locked': true,
  'operator.logged_out': true,
  'operator.session_ended': true,
  'operator.sessions_ended': true,
  'operator.refresh_refused': true,
  'operator.reauthentication_failed': true,
  'operator.stepped_up': true,
  'operator.password_changed': true,
  'operator.totp_enrolled': true,
  'operator.totp_reset': true,
  'operator.passkey_added': true,
  'operator.passkey_removed': true,
  'operator.recovery_codes_renewed': true,
  'operator.secret_renewed': true,
  'operator.credentials_reset': true,
  'operator.identity_linked': true,
  'operator.view_saved': true,
  'operator.view_removed': true,
} satisfies Record<Exclude<OperatorAuditAction, 'operator.created'>, true>) as readonly OperatorAuditAction[];

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
export class OperatorTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** The first entry is the creation of the operator; others may follow in any order and number. */
  @TrailContract('operator')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    // The subject of a login to an unknown account has an id that is not a UUID.
    const known = await this.uow.read(organisationId, (db) =>
      db.existsBy(OperatorEntity, {
        id: Raw((column) => `CAST(${column} AS text) = :id`, { id }),
        organisationId,
      }),
    );
    if (!known) return null;
    return {
      grammar: {
        first: ['operator.created'],
        follows: Object.fromEntries(['operator.created' as const, ...LATER].map((action) => [action, LATER])),
        last: ['operator.created', ...LATER],
      },
      anchors: [],
    };
  }

  /** Records a security event about an operator. `content` must contain no address, name, token or password. */
  async record(
    tx: Tx,
    about: OperatorRef,
    action: OperatorAuditAction,
    cause: OperatorActorContext,
    content: AuditContent = {},
  ): Promise<void> {
    const ctx = { organisationId: about.organisationId, ...cause };
    const at = new Date(this.clock.now());
    const said = { ...content, ip: cause.ip };
    await this.audit.record(tx, auditDraftOf(ctx, 'operator', about.id, action, at, said));
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
